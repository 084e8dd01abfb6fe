import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ProfileClient } from '../src/index.ts';
import { type Reply, startStub, type Stub, succeeded } from './stub.ts';

let stub: Stub;
afterEach(() => stub.stop());

const unavailable: Reply = { status: 503, code: 'SERVICE_UNAVAILABLE' };
const tenantsSent = () => stub.received.map(({ headers }) => headers['x-tenant-id']);

type Call = (client: ProfileClient) => Promise<unknown>;
const calls: [string, Call][] = [
  ['a query', (client) => client.apps.get.query({ id: '1' })],
  ['a creation', (client) => client.apps.create.mutate({ name: 'Silo' })],
  ['a mutation with a large input', (client) => client.apps.create.mutate({ name: 'x'.repeat(10_001) })],
  ['an upload', (client) => client.attachments.upload(new Blob(['x']))],
  ['a download', (client) => client.attachments.download('1')],
];

describe.each(calls)('%s', (_kind, call) => {
  test('goes to the same tenant in all attempts, although the active tenant changes during the pause', async () => {
    stub = await startStub(unavailable, succeeded);
    const tenantId = vi.fn<() => string>(() => (stub.received.length === 0 ? 'A' : 'B'));
    await call(stub.client({ tenantId }));
    expect(tenantsSent()).toEqual(['A', 'A']);
    expect(tenantId).toHaveBeenCalledTimes(1);
  });

  test('goes to the same tenant after the renewal of the token', async () => {
    stub = await startStub({ status: 401, code: 'UNAUTHORIZED' }, succeeded);
    const tenantId = vi.fn<() => string>(() => (stub.received.length === 0 ? 'A' : 'B'));
    await call(stub.client({ tenantId, token: ({ rejected }) => (rejected ? 'renewed' : 'token') }));
    expect(tenantsSent()).toEqual(['A', 'A']);
    expect(tenantId).toHaveBeenCalledTimes(1);
  });

  test.each(['a synchronous', 'an asynchronous'])(
    'goes to the tenant that was active when the call was made, with %s function',
    async (kind) => {
      stub = await startStub(succeeded);
      let active = 'A';
      const called = call(stub.client({ tenantId: kind === 'a synchronous' ? () => active : async () => active }));
      active = 'B';
      await called;
      expect(tenantsSent()).toEqual(['A']);
    },
  );

  test('fails with CLIENT_ERROR if tenantId fails', async () => {
    stub = await startStub(succeeded);
    const tenantId = () => {
      throw new Error('no session');
    };
    await expect(call(stub.client({ tenantId }))).rejects.toMatchObject({ code: 'CLIENT_ERROR', message: 'no session' });
    expect(stub.received).toEqual([]);
  });
});

test('calls of one tick share a request per tenant', async () => {
  stub = await startStub(succeeded);
  let active = 'A';
  const client = stub.client({ tenantId: () => active });
  const create = (tenant: string) => {
    active = tenant;
    return client.apps.create.mutate({ name: tenant });
  };
  await Promise.all(['A', 'B', 'A', 'B'].map(create));
  const sent = stub.received.map(({ headers, inputs }) => [headers['x-tenant-id'], ...inputs.map(({ name }) => name)]);
  expect(sent.toSorted()).toEqual([
    ['A', 'A', 'A'],
    ['B', 'B', 'B'],
  ]);
});

test('calls of one tick keep their order in a request', async () => {
  stub = await startStub(succeeded);
  const client = stub.client({ tenantId: () => 'A' });
  const { signal } = new AbortController();
  await Promise.all(['1', '2', '3'].map((id) => client.apps.get.query({ id }, id === '1' ? { signal } : {})));
  expect(stub.received.map(({ inputs }) => inputs)).toEqual([[{ id: '1' }, { id: '2' }, { id: '3' }]]);
});
