import { endpoints, returnsVersion } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { validCall } from '../endpoints/calls.ts';
import type { Input } from '@profile-service/contracts/examples';
import { useFixture } from '../endpoints/fixture.ts';
import { rest, trpc } from '../endpoints/send.ts';
import { overEachTransport, read, tagged } from './versioned.ts';

const fixture = useFixture();

const entityTag = /^"\d+"$/;

test.each(overEachTransport(tagged).filter(({ transport, endpoint }) => transport === 'REST' || endpoint.output !== null))(
  '$name returns the current version of the record over $transport',
  async ({ name, endpoint, type, call }) => {
    const attempt = await validCall(fixture, name, endpoint);
    const { data, etag } = await call(attempt, name, endpoint);
    expect(etag).toMatch(entityTag);
    const following = await read(fixture, type, { ...attempt.input, ...(data as Input | undefined) });
    expect(following.etag).toBe(etag);
  },
);

test.each(endpoints.filter(({ endpoint }) => !returnsVersion(endpoint)))('$name returns no version', async ({ name, endpoint }) => {
  const { status, etag } = await rest(await validCall(fixture, name, endpoint), name, endpoint);
  expect([status, etag]).toEqual([endpoint.success, null]);
});

test('an output without fields has no version over tRPC', async () => {
  const [name, { endpoint }] = ['organizationScopes.set', tagged.find((one) => one.name === 'organizationScopes.set')!];
  expect(await trpc(await validCall(fixture, name, endpoint), name, endpoint)).toMatchObject({ status: 200, data: undefined, etag: null });
});

test('each part of a file has the version of its attachment', async () => {
  const { endpoint } = tagged.find(({ name }) => name === 'attachments.get')!;
  const attempt = await validCall(fixture, 'attachments.get', endpoint);
  const whole = await rest(attempt, 'attachments.get', endpoint);
  const part = await rest({ ...attempt, range: 'bytes=0-9' }, 'attachments.get', endpoint);
  expect([part.status, part.etag]).toEqual([206, whole.etag]);
});

test('a batch over tRPC has the version of each record', async () => {
  const client = fixture.world.client(fixture.world.global);
  const created = await Promise.all(['1', '2', '3'].map((name) => client.apps.create.mutate({ name })));
  const got = await Promise.all(created.map(({ id }) => client.apps.get.query({ id })));
  expect(got).toEqual(created);
  expect(new Set(got.map(({ etag }) => etag)).size).toBe(3);
});

test('a response without a record has no version', async () => {
  const absent = await fixture.world.call(fixture.world.global, 'GET /api/apps/01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f');
  expect([absent.status, absent.headers.get('etag')]).toEqual([404, null]);
});
