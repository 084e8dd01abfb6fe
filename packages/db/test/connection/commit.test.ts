import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import type { TransactionExecutor } from '../../src/connection/transaction.ts';
import { connect, type Database } from '../../src/index.ts';
import { bound } from './bound.ts';
import { watchWrites } from './watch-writes.ts';

let database: Database;
let takeWrites: () => string[];

beforeEach(async () => {
  database = connect({ connectionString: await createTestDatabase(), max: 1 });
  takeWrites = watchWrites(database);
  await database.pool.query('create table written (id int primary key)');
});
afterEach(() => database.close());

const one = bound('select 1 as one');
const two = bound('select 2 as two');
const insert = (id: number) => bound('insert into written values ($1) returning id', id);
const divide = (by: number) => bound('select 1 / $1::int as quotient', by);
const written = async () => (await database.pool.query<{ id: number }>('select id from written order by id')).rows.map(({ id }) => id);

describe('the last statements', () => {
  test('travel with COMMIT, and their rows are returned after it', async () => {
    const run = (id: number) =>
      database.transaction(async (executor) => {
        await executor.run(one);
        const rows = await executor.atCommit.run(insert(id));
        expect(await written()).toContain(id);
        return rows;
      });
    database.pool.options.max = 2;
    await run(1);
    takeWrites();
    expect(await run(2)).toEqual([{ id: 2 }]);
    expect(takeWrites()).toEqual(['QBDES', 'BDESQ', 'Q']);
  });

  test('are one round trip with BEGIN and COMMIT if there is no other statement', async () => {
    const both = (id: number, last = two) =>
      database.transaction((executor) => {
        executor.beforeCommit(() => [last]);
        return executor.atCommit.run(insert(id));
      });
    expect(await both(1)).toEqual([{ id: 1 }]);
    takeWrites();
    await expect(both(1)).rejects.toMatchObject({ code: '23505' });
    expect(takeWrites()).toEqual(['QBDESBDESQ']);
    await expect(both(2, divide(0))).rejects.toThrow('division by zero');
    expect(await written()).toEqual([1]);
    const { rows } = await database.pool.query('select now() = statement_timestamp() as "isOutside"');
    expect(rows).toEqual([{ isOutside: true }]);
  });

  test('are rolled back if a statement fails that nobody waited for', async () => {
    const swallowed = database.transaction(async (executor) => {
      executor.run(divide(0)).catch(() => undefined);
      await executor.atCommit.run(insert(1)).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('division by zero');
    const unnoticed = database.transaction(async (executor) => {
      executor.run(divide(0)).catch(() => undefined);
    });
    await expect(unnoticed).rejects.toThrow('A statement of the transaction has failed');
    expect(await written()).toEqual([]);
  });

  test.each<[string, (executor: TransactionExecutor) => Promise<unknown>]>([
    ['another statement', (executor) => executor.run(insert(2))],
    ['plain SQL', (executor) => executor.query('insert into written values (2)')],
    ['further last statements', (executor) => executor.atCommit.run(insert(2))],
  ])('are followed by nothing: %s', async (_kind, follow) => {
    const late = database.transaction(async (executor) => {
      await executor.run(one);
      await executor.atCommit.run(insert(1));
      await follow(executor);
    });
    await expect(late).rejects.toThrow('ended');
    expect(await written()).toEqual([1]);
  });

  test('fail the transaction if nobody handles their error', async () => {
    const swallowed = database.transaction(async (executor) => {
      await executor.run(insert(1));
      await executor.atCommit.run(divide(0)).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('division by zero');
    expect(await written()).toEqual([]);
  });

  test('are committed before the transaction returns if the work does not wait for them', async () => {
    await database.transaction(async (executor) => void executor.atCommit.run(insert(1)));
    expect(await written()).toEqual([1]);
  });
});

describe('beforeCommit', () => {
  test.each([true, false])('sends its statements with COMMIT; with a last statement: %s', async (hasLast) => {
    const run = () =>
      database.transaction(async (executor) => {
        executor.beforeCommit(() => [two]);
        await executor.run(one);
        if (hasLast) await executor.atCommit.run(one);
      });
    await run();
    takeWrites();
    await run();
    expect(takeWrites()).toEqual(['QBDES', hasLast ? 'BDESBDESQ' : 'BDESQ']);
  });
});

test('a constraint that is checked at COMMIT fails the commit', async () => {
  await database.pool.query('create table child (parent int references written deferrable initially deferred)');
  const child = bound('insert into child values (1) returning parent');
  await expect(database.transaction((executor) => executor.run(child))).rejects.toMatchObject({ code: '23503' });
  await expect(database.transaction((executor) => executor.atCommit.run(child))).rejects.toMatchObject({ code: '23503' });
  expect(await database.transaction((executor) => executor.run(one))).toEqual([{ one: 1 }]);
});
