import { describe, expect, test, vi } from 'vitest';
import { type Call, calls, startStub, succeeded, unavailable } from './stub.ts';

const large: Call = (client) => client.apps.create.mutate({ name: 'x'.repeat(10_001) });

describe.each([...calls, ['a mutation with a large input', large] as [string, Call]])('%s', (_kind, call) => {
  test.each([
    ['the pause before its second attempt', unavailable],
    ['the renewal of its token', { status: 401, code: 'UNAUTHORIZED' }],
  ])('goes to the same tenant in all attempts, although the active one changes during %s', async (_when, failure) => {
    const stub = await startStub(failure, succeeded);
    const tenantId = vi.fn<() => string>(() => (stub.received.length === 0 ? 'A' : 'B'));
    await call(stub.client({ tenantId, token: ({ rejected }) => (rejected ? 'renewed' : 'token') }));
    expect(stub.received.map(({ headers }) => headers['x-tenant-id'])).toEqual(['A', 'A']);
    expect(tenantId).toHaveBeenCalledTimes(1);
  });

  test('goes to the tenant that was active when the call was made, with a synchronous or asynchronous function', async () => {
    const stub = await startStub(succeeded);
    let active = 'A';
    for (const tenantId of [() => active, async () => active]) {
      active = 'A';
      const called = call(stub.client({ tenantId }));
      active = 'B';
      await called;
    }
    expect(stub.received.map(({ headers }) => headers['x-tenant-id'])).toEqual(['A', 'A']);
  });

  test('fails with CLIENT_ERROR if tenantId fails', async () => {
    const stub = await startStub(succeeded);
    const tenantId = () => {
      throw new Error('no session');
    };
    await expect(call(stub.client({ tenantId }))).rejects.toMatchObject({ code: 'CLIENT_ERROR', message: 'no session' });
    expect(stub.received).toEqual([]);
  });
});

test('calls of one tick share a request per tenant, and keep their order', async () => {
  const stub = await startStub(succeeded);
  let active = 'A';
  const client = stub.client({ tenantId: () => active });
  const { signal } = new AbortController();
  const create = (name: string) => {
    active = name.charAt(0);
    return client.apps.create.mutate({ name }, name === 'A1' ? { signal } : {});
  };
  await Promise.all(['A1', 'B1', 'A2', 'B2', 'A3'].map(create));
  const sent = stub.received.map(({ headers, inputs }) => [headers['x-tenant-id'], ...inputs.map(({ name }) => name)]);
  expect(sent.toSorted()).toEqual([
    ['A', 'A1', 'A2', 'A3'],
    ['B', 'B1', 'B2'],
  ]);
});
