import { CallerCache } from '@profile-service/auth';
import { connect, type Database, newId, type TransactionInvalidation, type WriteOrigin } from '@profile-service/db';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { createTransactions, type Transactions } from '../../src/request/transactions.ts';

const ana = newId();
const origin = (): WriteOrigin => ({
  operation: 'users.update',
  actor: { kind: 'SYSTEM', id: null },
  requestId: null,
  tenantId: null,
  events: ['user.updated'],
  recordId: null,
});
let database: Database;
let transactions: Transactions;
const cache = new CallerCache({ ttlSeconds: 60, trusted: () => true });
const invalidate = vi.spyOn(cache, 'invalidate');

beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase() });
  const person = { id: ana, idIdentity: 'sub-ana', name: 'Ana', email: 'ana@example.com', federalTaxId: '12345678909' };
  await database.db
    .insertInto('users')
    .values({ ...person, type: 'Technician' })
    .execute();
  transactions = createTransactions(database, cache);
});
beforeEach(() => void invalidate.mockClear());
afterAll(() => database.close());

test.each<[string, TransactionInvalidation]>([
  ['by subject', { sub: ['sub-ana'] }],
  ['by id', { userId: [ana] }],
])('a transaction invalidates the cached callers of this instance %s', async (_, invalidation) => {
  await transactions.run({ kind: 'none' }, origin, async ({ invalidateCallers }) => {
    invalidateCallers(invalidation);
    expect(invalidate).not.toHaveBeenCalled();
  });
  expect(invalidate).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ sub: ['sub-ana'] }));
});

test('a transaction that rolls back invalidates no cached caller', async () => {
  const failing = transactions.run({ kind: 'none' }, origin, async ({ invalidateCallers }) => {
    invalidateCallers({ userId: [ana] });
    throw new Error('roll back');
  });
  await expect(failing).rejects.toThrow('roll back');
  expect(invalidate).not.toHaveBeenCalled();
});
