import { describe, expect, test } from 'vitest';
import {
  checkSession,
  type ConnectOptions,
  isDeadlock,
  isUnavailable,
  newId,
  type Placeholders,
  statement,
  unscoped,
} from '../src/index.ts';
import { connectionConfig } from '../src/connection/database.ts';
import { openDatabase, useDatabase } from './use-database.ts';

const { url, sql } = await useDatabase();

/** Opens another pool for a test. By default it has one connection, so that consecutive statements share it. */
const open = (options: Partial<ConnectOptions> = {}) => openDatabase({ connectionString: url, max: 1, ...options });

// Rules: RECORDS-1
test('newId returns UUIDv7 in ascending order', () => {
  const ids = Array.from({ length: 100 }, newId);
  expect(ids).toEqual(ids.toSorted());
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

describe('columns', () => {
  // Rules: RECORDS-2
  test('timestamps are ISO 8601 in UTC with milliseconds, in a session of any time zone', async () => {
    const timestamps = {
      '2026-01-15T12:00:00Z': '2026-01-15T12:00:00.000Z',
      '2026-01-15T12:00:00.5Z': '2026-01-15T12:00:00.500Z',
      '2026-01-15T12:00:00.045Z': '2026-01-15T12:00:00.045Z',
      '2026-01-15T12:00:00.123456Z': '2026-01-15T12:00:00.123Z',
      '2026-01-15T09:00:00-03:00': '2026-01-15T12:00:00.000Z',
      '0999-12-31T23:59:59.999Z': '0999-12-31T23:59:59.999Z',
    };
    const one = await open();
    for (const zone of ['UTC', 'Asia/Kathmandu']) {
      await one.sql(`set time zone '${zone}'`);
      const rows = await one.sql('select unnest($1::timestamptz[]) as at', [Object.keys(timestamps)]);
      expect(rows.map(({ at }) => at)).toEqual(Object.values(timestamps));
    }
  });

  test('bigints are numbers and dates are text', async () => {
    const values = await sql(`select 9007199254740991::bigint as big, date '2026-02-28' as day`);
    expect(values).toEqual([{ big: Number.MAX_SAFE_INTEGER, day: '2026-02-28' }]);
  });
});

test('statements are prepared once each if they are compiled, under the same name on every instance; others are not prepared', async () => {
  type ByName = Placeholders<{ name: string }>;
  const findApp = statement((db, p: ByName) => db.selectFrom('apps').select('id').where('name', '=', p.name));
  const getApp = statement((db, p: ByName) => db.selectFrom('apps').selectAll().where('name', '=', p.name));
  const one = await open();
  const db = unscoped(one.database.executor);
  for (const name of ['a', 'b', 'c']) await db.all(findApp, { name });
  await db.first(getApp, { name: 'a' });
  await one.database.db.selectFrom('apps').selectAll().where('name', 'in', ['a', 'b']).execute();
  expect(await one.sql('select name, statement from pg_prepared_statements order by prepare_time')).toEqual([
    { name: 's_f83af96661b88cefd26bbb2b482dfc8c', statement: 'select "id" from "apps" where "name" = $1' },
    { name: 's_932917a06be0974948de093ab0b949d0', statement: 'select * from "apps" where "name" = $1' },
  ]);
});

describe('isUnavailable', () => {
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  const urlWith = (changes: Partial<URL>) => Object.assign(new URL(url), changes).href;

  test.each([
    ['nobody listens', 'postgres://nobody@127.0.0.1:1/nothing'],
    ['the host has no address', 'postgres://nobody@no-such-host.invalid/nothing'],
    ['the database does not exist', urlWith({ pathname: 'absent' })],
    ['the login is unknown', urlWith({ username: 'stranger' })],
  ])('is true if %s', async (_reason, connectionString) => {
    const away = await open({ connectionString });
    expect(isUnavailable(await failure(away.sql('select 1')))).toBe(true);
  });

  test('is true if no connection is free in time; the next statement runs on a free connection', async () => {
    const one = await open();
    const { pool } = one.database;
    const held = await pool.connect();
    pool.options.connectionTimeoutMillis = 50;
    expect(isUnavailable(await failure(one.sql('select 1')))).toBe(true);
    held.release();
    pool.options.connectionTimeoutMillis = 5_000;
    expect(await one.sql('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.each([
    [true, 'a statement exceeds its time limit', "set statement_timeout = '50ms'; select pg_sleep(5)"],
    [true, 'there is a deadlock', `do $$ begin raise exception using errcode = 'deadlock_detected'; end $$`],
    [false, 'a value is wrong', 'select 1 / 0'],
    [false, 'a table does not exist', 'select from nowhere'],
    [false, 'a constraint is violated', `insert into apps (id, name) values (gen_random_uuid(), null)`],
  ])('is %s if %s, and isDeadlock only for a deadlock', async (expected, reason, text) => {
    const error = await failure((await open()).sql(text));
    expect([isUnavailable(error), isDeadlock(error)]).toEqual([expected, reason.includes('deadlock')]);
  });

  test.each([
    [true, ['53100', '53200', '53300', '58030', '58P01', '57P01', 'ECONNREFUSED', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'EPROTO']],
    [false, ['23505', '42601']],
  ])('is %s for the error codes %j, and false for other errors', (expected, codes) => {
    for (const code of codes) expect(isUnavailable(Object.assign(new Error('failed'), { code }))).toBe(expected);
    for (const error of [new TypeError('undefined is not a function'), 'ECONNREFUSED']) expect(isUnavailable(error)).toBe(false);
  });
});

describe('connect', () => {
  test('verifies the certificate if it has an authority, whatever the sslmode of the connection string', () => {
    const address = (query: string) => connectionConfig({ connectionString: `postgres://me@db.example/profile${query}`, ca: 'PEM' });
    expect(address('?sslmode=no-verify&keepalives=1')).toMatchObject({
      connectionString: 'postgres://me@db.example/profile?keepalives=1',
      ssl: { ca: 'PEM', rejectUnauthorized: true },
    });
    expect(address('?a=b&sslmode=disable').connectionString).toBe('postgres://me@db.example/profile?a=b&');
    expect(connectionConfig({ connectionString: 'postgres://me@db.example/profile?sslmode=verify-full' })).not.toHaveProperty('ssl');
  });

  test('reports connections that break while idle, and replaces them', async () => {
    const errors: Error[] = [];
    const reported = await open({ applicationName: 'reported', onError: (error) => errors.push(error) });
    await reported.sql('select 1');
    await sql(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'reported'`);
    await expect.poll(() => errors.length).toBe(1);
    expect(await reported.sql('select 1 as one')).toEqual([{ one: 1 }]);
    await reported.database.close();
  });

  // PostgreSQL prints 60 seconds as 1min.
  test.each([1, 10, 55, 60])('sets a statement timeout of %d seconds, which the check of the session accepts', async (seconds) => {
    const options = { connectionString: url, statementTimeoutSeconds: seconds };
    const { database: limited, sql: run } = await open(options);
    const settings = `select setting::int from pg_settings where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name`;
    expect(await run(settings)).toEqual([{ setting: (seconds + 5) * 1000 }, { setting: seconds * 1000 }]);
    await checkSession(limited.pool, options);
    const other = checkSession(limited.pool, { ...options, statementTimeoutSeconds: 20 });
    await expect(other).rejects.toThrow('statement_timeout, idle_in_transaction_session_timeout');
  });
});
