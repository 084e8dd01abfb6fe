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
const divide = (by: number) => bound('select 1 / $1::int as quotient', by);
const one = divide(1);
const failed = () => Promise.reject(new Error('failed'));

/** What a part does, and whether its row is there afterwards. */
interface Kind {
  work: (executor: TransactionExecutor, id: number) => Promise<unknown>;
  last?: ReturnType<typeof divide>;
  error?: string;
  isKept?: boolean;
}
/** Stays in the table from before the parts. */
const first = -1;
const kinds: Record<string, Kind> = {
  'one statement': { work: (executor, id) => executor.atCommit.run(insert(id)) },
  'several statements': {
    async work(executor, id) {
      await executor.run(one);
      await executor.run(insert(id));
      return executor.atCommit.run(one);
    },
  },
  'statements of which none is declared as the last': {
    async work(executor, id) {
      await executor.run(insert(id));
      await executor.run(one);
    },
  },
  'a statement that fails': { work: (executor) => executor.atCommit.run(insert(first)), error: 'duplicate key' },
  'a statement that fails after another': {
    work: async (executor, id) => [await executor.run(insert(id)), await executor.atCommit.run(divide(0))],
    error: 'division by zero',
  },
  'a failure that it ignores': {
    work: async (executor, id) => {
      await executor.run(insert(id)).catch(() => undefined);
      await executor.run(divide(0)).catch(() => undefined);
    },
    error: 'division by zero',
  },
  'a statement after it that fails': {
    work: (executor, id) => executor.atCommit.run(insert(id)),
    last: divide(0),
    error: 'division by zero',
  },
  'an error between statements': { work: async (executor, id) => [await executor.run(insert(id)), await failed()], error: 'failed' },
  // As in a request, whose transaction is committed with the statement.
  'an error after its last statement': {
    work: async (executor, id) => [await executor.atCommit.run(insert(id)), await failed()],
    error: 'failed',
    isKept: true,
  },
  'an error after its last statement, and a statement after it that fails': {
    work: async (executor, id) => [await executor.atCommit.run(insert(id)), await failed()],
    last: divide(0),
    error: 'failed',
  },
};

const isKept = (kind: Kind): boolean => kind.isKept ?? kind.error === undefined;
const messageOf = ({ error }: Kind): unknown => error && expect.stringContaining(error);
const written = async () => (await opened.sql<{ id: number }>('select id from written where id >= 0 order by id')).map(({ id }) => id);

/** Runs parts, each when the one before allows it. Returns the error of each part. */
async function run(executor: TransactionExecutor, names: readonly string[]): Promise<(string | undefined)[]> {
  executor.commitLater();
  const ends: Promise<string | undefined>[] = [];
  for (const [id, name] of names.entries()) {
    const { work, last = one } = kinds[name] as Kind;
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    const part = executor.savepoint(
      () => work(executor, id),
      () => last,
      resolve,
    );
    const end = part.then(
      () => undefined,
      (error: Error) => error.message,
    );
    ends.push(end);
    await Promise.race([sent, end]);
  }
  return Promise.all(ends);
}

test('PostgreSQL gets the statements of a part before those of the part before it have ended', async () => {
  const { database } = opened;
  const inserts = () => database.transaction((executor) => run(executor, ['one statement', 'one statement', 'one statement']));
  await inserts();
  await opened.sql('delete from written');
  takeWrites();
  expect(await inserts()).toEqual([undefined, undefined, undefined]);
  expect(takeWrites()).toEqual(['QQBDESBDESQBDESBDES', 'QBDESBDES', 'Q']);
});

test('a part that fails undoes its changes only, whatever the parts around it do', { timeout: 120_000 }, async () => {
  const { database, sql } = opened;
  const names = Object.keys(kinds);
  for (let repetition = 0; repetition < 100; repetition += 1) {
    await sql(`delete from written; insert into written values (${first})`);
    const parts = Array.from({ length: 12 }, () => names[Math.floor(Math.random() * names.length)] as string);
    const errors = await database.transaction((executor) => run(executor, parts));
    expect({ parts, errors, ids: await written() }).toEqual({
      parts,
      errors: parts.map((name) => messageOf(kinds[name] as Kind)),
      ids: parts.flatMap((name, id) => (isKept(kinds[name] as Kind) ? [id] : [])),
    });
  }
});

test('a connection that breaks fails the transaction and both parts', async () => {
  const { database, sql } = opened;
  const terminate = bound('select pg_terminate_backend(pg_backend_pid())');
  const errors: unknown[] = [];
  const broken = database.transaction(async (executor) => {
    executor.commitLater();
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    const parts = [
      executor.savepoint(
        () => executor.atCommit.run(terminate),
        () => one,
        resolve,
      ),
    ];
    await sent;
    parts.push(
      executor.savepoint(
        () => executor.atCommit.run(insert(1)),
        () => one,
      ),
    );
    for (const part of await Promise.allSettled(parts)) errors.push(part.status);
  });
  await expect(broken).rejects.toSatisfy(isUnavailable);
  expect(errors).toEqual(['rejected', 'rejected']);
  expect(await sql('select id from written')).toEqual([]);
});
