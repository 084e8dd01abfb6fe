import { expect, test } from 'vitest';
import { startStub, unavailable } from './stub.ts';

const page = (data: number[], nextCursor: string | null) => ({ status: 200, data: { data: data.map((id) => ({ id })), nextCursor } });

test('all returns the records of all pages, with the input in each request, in the tenant that was active at first', async () => {
  const stub = await startStub(page([1, 2], 'a'), unavailable, page([], 'b'), page([3], null));
  let active = 'A';
  const seen: unknown[] = [];
  for await (const record of stub.client({ tenantId: () => active }).organizations.all({ sort: ['-name'], active: true })) {
    active = 'B';
    seen.push(record);
  }
  expect(seen).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  const input = { sort: ['-name'], active: true, limit: 100 };
  expect(stub.received.flatMap(({ inputs }) => inputs)).toEqual(['*', 'a', 'a', 'b'].map((cursor) => ({ ...input, cursor })));
  expect(stub.received.map(({ headers }) => headers['x-tenant-id'])).toEqual(['A', 'A', 'A', 'A']);
});

test('all ends with an error of the service, with an aborted signal, and with the loop', async () => {
  const stub = await startStub(page([1, 2], 'a'), { status: 403, code: 'NOT_ALLOWED' });
  const client = stub.client();
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const record of client.apps.all()) seen.push(record);
  })();
  await expect(reading).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  expect(seen).toHaveLength(2);
  await expect(client.apps.all({}, { signal: AbortSignal.abort() })[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'ABORTED',
  });
  const other = await startStub(page([1, 2], 'a'));
  for await (const _ of other.client().apps.all({ limit: 2 })) break;
  expect(other.received).toHaveLength(1);
});
