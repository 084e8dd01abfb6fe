import { afterEach, expect, test } from 'vitest';
import { startStub, type Stub, succeeded } from './stub.ts';

let stub: Stub;
afterEach(() => stub.stop());

async function inputOf(call: (client: ReturnType<Stub['client']>) => Promise<unknown>) {
  stub = await startStub(succeeded);
  await call(stub.client({ maxAttempts: 1 }));
  return stub.received[0]?.inputs[0];
}

const app = { id: '1', name: 'Silo', etag: '"7"' };

test('an update of a record that was read sends its etag as ifMatch', async () => {
  expect(await inputOf((client) => client.apps.update.mutate({ ...app, name: 'New' }))).toEqual({ id: '1', name: 'New', ifMatch: '"7"' });
});

test('a removal of a record that was read sends its etag as ifMatch', async () => {
  expect(await inputOf((client) => client.apps.remove.mutate(app))).toEqual({ id: '1', name: 'Silo', ifMatch: '"7"' });
});

test('a scope that was read is set with its etag as ifMatch', async () => {
  const scope = { scope: 'ALL' as const, organizationIds: [], etag: '"7"' };
  const input = { userId: '1', tenantId: '2', scope: 'ALL', organizationIds: [], ifMatch: '"7"' };
  expect(await inputOf((client) => client.organizationScopes.set.mutate({ userId: '1', tenantId: '2', ...scope }))).toEqual(input);
});

test('an ifMatch of the caller takes precedence over the etag', async () => {
  expect(await inputOf((client) => client.apps.update.mutate({ ...app, ifMatch: '*' }))).toEqual({ id: '1', name: 'Silo', ifMatch: '*' });
});

test('an ifMatch that is undefined counts as absent', async () => {
  const input = { id: '1', name: 'Silo', ifMatch: '"7"' };
  expect(await inputOf((client) => client.apps.update.mutate({ ...app, ifMatch: undefined }))).toEqual(input);
});

test('without an etag, an update is unconditional', async () => {
  expect(await inputOf((client) => client.apps.update.mutate({ ...app, etag: undefined }))).toEqual({ id: '1', name: 'Silo' });
  await stub.stop();
  expect(await inputOf((client) => client.apps.update.mutate({ id: '1', name: 'Silo' }))).toEqual({ id: '1', name: 'Silo' });
});

test('mutations that are never conditional send neither etag nor ifMatch', async () => {
  expect(await inputOf((client) => client.apps.create.mutate(app))).toEqual({ id: '1', name: 'Silo' });
  await stub.stop();
  const membership = { userId: '1', tenantId: '2', etag: '"7"' };
  expect(await inputOf((client) => client.memberships.remove.mutate(membership))).toEqual({ userId: '1', tenantId: '2' });
});
