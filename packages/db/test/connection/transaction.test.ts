import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { connect, type Database, isUnavailable } from '../../src/index.ts';
import type { TransactionExecutor } from '../../src/connection/transaction.ts';
import { bound } from './bound.ts';
import { watchWrites } from './watch-writes.ts';

let connectionString: string;
/** Has one connection. */
let database: Database;
let takeWrites: () => string[];

beforeEach(async () => {
  connectionString = await createTestDatabase();
  database = connect({ connectionString, max: 1 });
  takeWrites = watchWrites(database);
  await database.pool.query('create table written (id int primary key)');
});
afterEach(() => database.close());

const one = bound('select 1 as one');
const two = bound('select 2 as two');
const insert = (id: number) => bound('insert into written values ($1) returning id', id);
const divide = (by: number) => bound('select 1 / $1::int as quotient', by);
const written = async () => (await database.pool.query<{ id: number }>('select id from written order by id')).rows.map(({ id }) => id);

describe('round trips', () => {
  test('BEGIN travels with the first statements, and statements that are started at the same time travel together', async () => {
    const twice = () =>
      database.transaction(async (executor) => [
        await Promise.all([executor.run(one), executor.run(two)]),
        await executor.run(one),
        await Promise.all([executor.run(two), executor.run(insert(0)), executor.run(bound('delete from written'))]),
      ]);
    await twice();
    takeWrites();
    expect(await twice()).toEqual([[[{ one: 1 }], [{ two: 2 }]], [{ one: 1 }], [[{ two: 2 }], [{ id: 0 }], []]]);
    expect(takeWrites()).toEqual(['QBDESBDES', 'BDES', 'BDESBDESBDES', 'Q']);
  });

  test('statements that are started while others run are sent without waiting for them', async () => {
    await database.transaction((executor) => Promise.all([executor.run(one), executor.run(two)]));
    takeWrites();
    await database.transaction(async (executor) => {
      const first = executor.run(one);
      await nextTurn();
      expect(await Promise.all([first, executor.run(two), executor.run(one)])).toEqual([[{ one: 1 }], [{ two: 2 }], [{ one: 1 }]]);
    });
    expect(takeWrites()).toEqual(['QBDES', 'BDESBDES', 'Q']);
  });

  test('a transaction without statements sends nothing', async () => {
    takeWrites();
    expect(await database.transaction(async () => 'result')).toBe('result');
    await expect(database.transaction(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(takeWrites()).toEqual([]);
  });

  test('plain SQL runs in the transaction, after BEGIN', async () => {
    const rolledBack = database.transaction(async (executor) => {
      expect((await executor.query('insert into written values ($1) returning id', [1])).rows).toEqual([{ id: 1 }]);
      throw new Error('roll back');
    });
    await expect(rolledBack).rejects.toThrow('roll back');
    expect(await written()).toEqual([]);
  });
});

describe('a failed statement', () => {
  test('fails those after it in the same round trip; those before it succeed', async () => {
    const rolledBack = database.transaction(async (executor) => {
      const results = await Promise.allSettled([insert(1), one, divide(0), two, insert(2)].map((each) => executor.run(each)));
      const reason: unknown = expect.objectContaining({ code: '22012' });
      const rejected = { status: 'rejected', reason };
      expect(results).toEqual([
        { status: 'fulfilled', value: [{ id: 1 }] },
        { status: 'fulfilled', value: [{ one: 1 }] },
        rejected,
        rejected,
        rejected,
      ]);
      await executor.run(one);
    });
    await expect(rolledBack).rejects.toThrow('division by zero');
    expect(await written()).toEqual([]);
  });

  test.each<[string, (executor: TransactionExecutor) => Promise<unknown>]>([
    ['prepared statement', (executor) => executor.run(divide(0))],
    ['plain SQL', (executor) => executor.query('select 1 / 0')],
  ])('that was caught fails the commit: %s', async (_kind, fail) => {
    const swallowed = database.transaction(async (executor) => {
      await executor.run(insert(1));
      await fail(executor).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('A statement of the transaction has failed');
    expect(await written()).toEqual([]);
  });

  test('has the error of its planner settings if these have failed', async () => {
    const statement = { ...one, planner: 'set local no_such_setting = 1' };
    const expected = { code: '42704' };
    await expect(database.executor.run(statement)).rejects.toMatchObject(expected);
    await expect(database.transaction((executor) => executor.run(statement))).rejects.toMatchObject(expected);
    expect(await database.executor.run(one)).toEqual([{ one: 1 }]);
  });
});

describe('after the end', () => {
  test('no statement is sent', async () => {
    let ended!: TransactionExecutor;
    await database.transaction(async (executor) => (ended = executor).run(one));
    await expect(ended.run(insert(1))).rejects.toThrow('ended');
    const rolledBack = database.transaction(async (executor) => {
      ended = executor;
      await executor.run(one);
      throw new Error('roll back');
    });
    await expect(rolledBack).rejects.toThrow('roll back');
    await expect(ended.run(insert(1))).rejects.toThrow('ended');
    expect(await written()).toEqual([]);
  });

  test('no transaction is left open if a statement was about to be sent when the work failed', async () => {
    const rolledBack = database.transaction(async (executor) => {
      executor.run(insert(1)).catch(() => undefined);
      throw new Error('roll back');
    });
    await expect(rolledBack).rejects.toThrow('roll back');
    expect(await written()).toEqual([]);
    const { rows } = await database.pool.query('select now() = statement_timestamp() as "isOutside"');
    expect(rows).toEqual([{ isOutside: true }]);
  });

  test('no statement is sent that was waiting when the work failed', async () => {
    let waiting!: Promise<unknown>;
    const rolledBack = database.transaction(async (executor) => {
      const running = executor.run(insert(1));
      await Promise.resolve();
      waiting = running.then(() => executor.run(insert(2)));
      waiting.catch(() => undefined);
      throw new Error('roll back');
    });
    await expect(rolledBack).rejects.toThrow('roll back');
    await expect(waiting).rejects.toThrow('ended');
    expect(await written()).toEqual([]);
  });
});

describe('a connection that cannot be used again', () => {
  test('is replaced after the server has closed it', async () => {
    const failed = await database
      .transaction(async (executor) => {
        await executor.run(bound('select pg_terminate_backend(pg_backend_pid())')).catch(() => undefined);
        await nextTurn();
        await executor.run(one);
      })
      .catch((error: unknown) => error);
    expect(isUnavailable(failed)).toBe(true);
    expect(await database.transaction((executor) => executor.run(one))).toEqual([{ one: 1 }]);
  });

  test('is replaced after this process stood still for longer than a transaction may be idle', async () => {
    const failed = await database
      .transaction(async (executor) => {
        await executor.run(bound("select set_config('idle_in_transaction_session_timeout', '20ms', true)"));
        // Like a process that is stopped (SIGSTOP) and continued: the next statement is sent before the error of the server is read.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
        await executor.run(one);
      })
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: '25P03' });
    expect(isUnavailable(failed)).toBe(true);
    expect(await database.transaction((executor) => executor.run(one))).toEqual([{ one: 1 }]);
  });
});

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

test.each([true, false])('beforeCommit sends its statements with COMMIT; with a last statement: %s', async (hasLast) => {
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

test('a constraint that is checked at COMMIT fails the commit', async () => {
  await database.pool.query('create table child (parent int references written deferrable initially deferred)');
  const child = bound('insert into child values (1) returning parent');
  await expect(database.transaction((executor) => executor.run(child))).rejects.toMatchObject({ code: '23503' });
  await expect(database.transaction((executor) => executor.atCommit.run(child))).rejects.toMatchObject({ code: '23503' });
  expect(await database.transaction((executor) => executor.run(one))).toEqual([{ one: 1 }]);
});
