import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { connect, type Database } from '../../src/index.ts';
import { abortable } from './abortable.ts';
import { bound } from './bound.ts';
import { watchWrites } from './watch-writes.ts';

let connectionString: string;
/** Has one connection. */
let database: Database;
let takeWrites: () => string[];

beforeAll(async () => {
  connectionString = await createTestDatabase();
  database = connect({ connectionString, max: 1 });
  takeWrites = watchWrites(database);
});
afterAll(() => database.close());

const one = bound('select 1 as one');
const two = bound('select 2 as two');
const backend = bound('select pg_backend_pid() as pid');
const expectUsable = async () => expect(await database.executor.run(one)).toEqual([{ one: 1 }]);

describe('values', () => {
  const text = bound('select $1::text as value');

  test('a NUL character is refused by the server, and the connection is used again', async () => {
    const [before] = await database.executor.run(backend);
    await expect(database.executor.run({ ...text, values: ['a\0b'] })).rejects.toMatchObject({ code: '22021' });
    expect(await database.executor.run(backend)).toEqual([before]);
  });

  test('a value that cannot be converted fails only its statement', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const failing = { ...text, values: [circular] };
    await expect(database.executor.run(failing)).rejects.toThrow('circular');
    await expectUsable();
    await expect(database.transaction((executor) => Promise.all([executor.run(one), executor.run(failing)]))).rejects.toThrow('circular');
    await expectUsable();
  });
});

describe('rows', () => {
  test('have camelCase keys in the order of the columns, also without rows or columns', async () => {
    const read = (count: number) =>
      database.executor.run(bound('select n::bigint as first_column, null as "b" from generate_series(1, $1::int) as n', count));
    expect(await read(2)).toEqual([
      { firstColumn: 1, b: null },
      { firstColumn: 2, b: null },
    ]);
    expect(await read(0)).toEqual([]);
    expect(await read(20_000)).toHaveLength(20_000);
    const withoutColumns = bound('select from generate_series(1, 2)');
    for (let run = 0; run < 2; run += 1) expect(await database.executor.run(withoutColumns)).toEqual([{}, {}]);
  });

  test('that cannot be converted reject their statement', async () => {
    const infinite = bound("select 'infinity'::timestamptz as at");
    for (let run = 0; run < 2; run += 1) {
      await expect(database.executor.run(infinite)).rejects.toThrow(TypeError);
      await expectUsable();
    }
    const failed = database.transaction(async (executor) => {
      const results = await Promise.allSettled([one, infinite, one].map((each) => executor.run(each)));
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    });
    await expect(failed).rejects.toThrow('A statement of the transaction has failed');
    await expectUsable();
  });
});

test('a statement of a request is cancelled when the request is aborted, and the connection is used again', async () => {
  const observer = connect({ connectionString, max: 1 });
  const [before] = await database.executor.run(backend);
  const { request, abort, listeners } = abortable();
  const read = database.executorOf(request).run(bound('select pg_sleep(9)'));
  const sleeping = bound("select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()");
  await expect.poll(() => observer.executor.run(sleeping)).toHaveLength(1);
  abort();
  await expect(read).rejects.toThrow('disconnected');
  expect(listeners.size).toBe(0);
  expect(await database.executor.run(backend)).toEqual([before]);
  await observer.close();
});

test('a statement that exceeds the time limit of this process closes its connection', async () => {
  const impatient = connect({ connectionString, max: 1, responseMs: 500 });
  await expect(impatient.executor.run(bound('select pg_sleep(9)'))).rejects.toThrow('timeout');
  expect(impatient.pool.totalCount).toBe(0);
  expect(await impatient.executor.run(one)).toEqual([{ one: 1 }]);
  await impatient.close();
});

test('an idle connection has no time limit', async () => {
  const patient = connect({ connectionString, max: 1, responseMs: 20 });
  const [before] = await patient.executor.run(backend);
  const client = await patient.pool.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  client.release();
  await once(stream, 'timeout');
  expect(await patient.executor.run(backend)).toEqual([before]);
  await patient.close();
});

describe('statements that a request starts at the same time', () => {
  test('travel together on one connection; a failed one fails alone', async () => {
    const { request } = abortable();
    const run = () => Promise.allSettled([one, bound('select 1 / 0'), two].map((each) => database.executorOf(request).run(each)));
    const expected = [
      { status: 'fulfilled', value: [{ one: 1 }] },
      { status: 'rejected', reason: expect.objectContaining({ code: '22012' }) as unknown },
      { status: 'fulfilled', value: [{ two: 2 }] },
    ];
    expect(await run()).toEqual(expected);
    takeWrites();
    expect(await run()).toEqual(expected);
    expect(takeWrites()).toEqual(['BDESBDESBDES']);
  });

  test('are not sent if the request was aborted', async () => {
    const { request, abort } = abortable();
    const executor = database.executorOf(request);
    const reads = [executor.run(one), executor.run(two)];
    abort();
    takeWrites();
    expect((await Promise.allSettled(reads)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(takeWrites()).toEqual([]);
  });
});
