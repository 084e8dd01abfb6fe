import { expect, test } from 'vitest';
import type { ProfileClient } from '../src/index.ts';
import { startStub, succeeded } from './stub.ts';

const app = { id: '1', name: 'Silo', etag: '"7"' };
const conditional = { id: '1', name: 'Silo', ifMatch: '"7"' };
const unconditional = { id: '1', name: 'Silo' };
const scope = { userId: '1', tenantId: '2', scope: 'ALL' as const, organizationIds: [] };
const member = { userId: '1', tenantId: '2' };

test.each<[string, (client: ProfileClient) => Promise<unknown>, object]>([
  ['an update of a record that was read sends its etag as ifMatch', (client) => client.apps.update.mutate(app), conditional],
  ['a removal of a record that was read sends its etag as ifMatch', (client) => client.apps.remove.mutate(app), conditional],
  [
    'a scope that was read is set with its etag as ifMatch',
    (client) => client.organizationScopes.set.mutate({ ...scope, etag: '"7"' }),
    { ...scope, ifMatch: '"7"' },
  ],
  [
    'an ifMatch takes precedence over the etag',
    (client) => client.apps.update.mutate({ ...app, ifMatch: '*' }),
    { ...conditional, ifMatch: '*' },
  ],
  ['an ifMatch that is undefined counts as absent', (client) => client.apps.update.mutate({ ...app, ifMatch: undefined }), conditional],
  ['an update with an undefined etag is unconditional', (client) => client.apps.update.mutate({ ...app, etag: undefined }), unconditional],
  ['an update without an etag is unconditional', (client) => client.apps.update.mutate(unconditional), unconditional],
  ['a creation is never conditional', (client) => client.apps.create.mutate(app), unconditional],
  [
    'the end of a membership is never conditional',
    (client) => client.memberships.remove.mutate({ ...member, etag: '"7"' } as typeof member),
    member,
  ],
])('%s', async (_what, call, expected) => {
  const stub = await startStub(succeeded);
  await call(stub.client({ maxAttempts: 1 }));
  expect(stub.received[0]?.inputs[0]).toEqual(expected);
  await stub.stop();
});
