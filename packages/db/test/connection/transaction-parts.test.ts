import { afterEach, beforeEach, expect, test } from 'vitest';
import { isUnavailable } from '../../src/index.ts';
import type { TransactionExecutor } from '../../src/connection/transaction.ts';
import { openDatabase } from '../use-database.ts';
import { bound } from './bound.ts';
import { watchWrites } from './watch-writes.ts';

let opened: Awaited<ReturnType<typeof openDatabase>>;
let close: () => Promise<void>;
let takeWrites: () => string[];

beforeEach(async () => {
  opened = await openDatabase({ max: 1 }, (end) => (close = end));
  takeWrites = watchWrites(opened.database);
  await opened.sql('create table written (id int primary key)');
});
afterEach(() => close());

const insert = (id: number) => bound('insert into written values ($1) returning id', id);
const failing = bound('select 1 / 0');
const one = bound('select 1');
const written = async () => (await opened.sql<{ id: number }>('select id from written order by id')).map(({ id }) => id);

/** Runs the last statement of a part, after the one before it was sent. */
async function runParts(executor: TransactionExecutor, parts: readonly ReturnType<typeof bound>[]): Promise<(string | undefined)[]> {
  executor.commitLater();
  const ends: Promise<string | undefined>[] = [];
  for (const statement of parts) {
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    const part = executor.part(
      () => executor.atCommit.run(statement),
      () => one,
      resolve,
    );
    ends.push(
      part.then(
        () => undefined,
        (error: Error) => error.message,
      ),
    );
    await sent;
  }
  return Promise.all(ends);
}

test('PostgreSQL gets the statements of a part before those of the part before it have ended', async () => {
  const { database } = opened;
  const inserts = (ids: number[]) => database.transaction((executor) => runParts(executor, ids.map(insert)));
  await inserts([1]);
  takeWrites();
  expect(await inserts([2, 3, 4])).toEqual([undefined, undefined, undefined]);
  expect(takeWrites()).toEqual(['QBDESBDESBDESBDESBDESBDES', 'Q']);
  expect(await written()).toEqual([1, 2, 3, 4]);
});

test('the statement after a part runs after all of its statements, also if none of them is declared as the last', async () => {
  const parts = opened.database.transaction(async (executor) => {
    const count = bound('select count(*)::int from written');
    const several = async () => [await executor.run(insert(1)), await executor.run(insert(2))];
    return executor.part(several, () => count);
  });
  expect(await parts).toEqual([[[{ id: 1 }], [{ id: 2 }]], [{ count: 2 }]]);
});

test('a part that fails fails the transaction, and the parts after it with its error', async () => {
  const { database } = opened;
  const errors: unknown[] = [];
  const failed = database.transaction(async (executor) => errors.push(...(await runParts(executor, [insert(1), failing, insert(2)]))));
  await expect(failed).rejects.toThrow('A statement of the transaction has failed');
  expect(errors).toEqual([undefined, 'division by zero', 'division by zero']);
  expect(await written()).toEqual([]);
});

test('a connection that breaks fails all parts', async () => {
  const terminate = bound('select pg_terminate_backend(pg_backend_pid())');
  const errors = opened.database.transaction(async (executor) => {
    executor.commitLater();
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    const parts = [
      executor.part(
        () => executor.atCommit.run(terminate),
        () => one,
        resolve,
      ),
    ];
    await sent;
    parts.push(
      executor.part(
        () => executor.atCommit.run(insert(1)),
        () => one,
      ),
    );
    const ends = await Promise.allSettled(parts);
    throw new AggregateError(
      ends.map((end) => end.status === 'rejected' && isUnavailable(end.reason)),
      'The parts have failed',
    );
  });
  await expect(errors).rejects.toMatchObject({ errors: [true, true] });
  expect(await written()).toEqual([]);
});
