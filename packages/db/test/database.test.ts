import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { connect, type Database, isDeadlock, isUnavailable, newId, type Placeholders, statement, unscoped } from '../src/index.ts';
import { connectionConfig } from '../src/connection/database.ts';
import { records } from './records.ts';

let connectionString: string;
let database: Database;

beforeAll(async () => {
  connectionString = await createTestDatabase();
  database = connect({ connectionString });
});
afterAll(() => database.close());

/** A pool of one connection, so that consecutive statements share it. */
async function onOneConnection<T>(work: (one: Database) => Promise<T>): Promise<T> {
  const one = connect({ connectionString, max: 1 });
  try {
    return await work(one);
  } finally {
    await one.close();
  }
}

describe('newId', () => {
  // Rules: RECORDS-1
  test('returns UUIDv7 in ascending order', () => {
    const ids = Array.from({ length: 100 }, newId);
    expect(ids).toEqual(ids.toSorted());
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
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
    await onOneConnection(async ({ db }) => {
      for (const zone of ['UTC', 'Asia/Kathmandu']) {
        await sql`set time zone ${sql.lit(zone)}`.execute(db);
        const { rows } = await sql<{ at: string }>`select unnest(${Object.keys(timestamps)}::timestamptz[]) as at`.execute(db);
        expect(rows.map(({ at }) => at)).toEqual(Object.values(timestamps));
      }
    });
  });

  test('bigints are numbers and dates are text', async () => {
    const { rows } = await sql`select 9007199254740991::bigint as big, date '2026-02-28' as day`.execute(database.db);
    expect(rows).toEqual([{ big: Number.MAX_SAFE_INTEGER, day: '2026-02-28' }]);
  });

  test('JSON keys are not changed, and arrays can be passed as JSON text', async () => {
    const metadata = { snake_key: 1, camelKey: { inner_key: [{ deep_key: null }] }, 'Ünïcode key': '%' };
    const id = await records(database.db).tenant({ metadata, allowedScopes: ['read_all', 'a,b', '"quoted"'] });
    const row = await database.db.selectFrom('tenants').select(['metadata', 'allowedScopes']).where('id', '=', id).executeTakeFirst();
    expect(row).toEqual({ metadata, allowedScopes: ['read_all', 'a,b', '"quoted"'] });
    const { rows } = await sql`select ${JSON.stringify([{ a_b: 1 }])}::jsonb as list`.execute(database.db);
    expect(rows).toEqual([{ list: [{ a_b: 1 }] }]);
  });
});

describe('statements', () => {
  const prepared = async ({ pool }: Database) =>
    (await pool.query<{ statement: string; name: string }>('select name, statement from pg_prepared_statements order by prepare_time'))
      .rows;

  const appNamed = statement((db, p: Placeholders<{ name: string }>) => db.selectFrom('apps').selectAll().where('name', '=', p.name));
  const findAppNamed = statement((db, p: Placeholders<{ name: string }>) => db.selectFrom('apps').select('id').where('name', '=', p.name));

  test('are prepared once each if they are compiled, under the same name on every instance; others are not prepared', async () => {
    const one = connect({ connectionString, max: 1 });
    const db = unscoped(one.executor);
    for (const name of ['a', 'b', 'c']) await db.all(findAppNamed, { name });
    await db.first(appNamed, { name: 'a' });
    await one.db.selectFrom('apps').selectAll().execute();
    await one.db.selectFrom('apps').selectAll().where('name', 'in', ['a', 'b']).execute();
    await sql`select 1; select 2`.execute(one.db);
    expect(await prepared(one)).toEqual([
      { name: 's_f83af96661b88cefd26bbb2b482dfc8c', statement: 'select "id" from "apps" where "name" = $1' },
      { name: 's_932917a06be0974948de093ab0b949d0', statement: 'select * from "apps" where "name" = $1' },
    ]);
    await one.close();
  });
});

describe('isUnavailable', () => {
  const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((error: unknown) => error);
  const readApps = ({ db }: Pick<Database, 'db'>) => failure(db.selectFrom('apps').selectAll().execute());
  const urlWith = (changes: Partial<URL>) => Object.assign(new URL(connectionString), changes).href;

  test.each([
    ['nobody listens', () => 'postgres://nobody@127.0.0.1:1/nothing'],
    ['the host has no address', () => 'postgres://nobody@no-such-host.invalid/nothing'],
    ['the database does not exist', () => urlWith({ pathname: 'absent' })],
    ['the login is unknown', () => urlWith({ username: 'stranger' })],
  ])('is true if %s', async (_reason, url) => {
    const away = connect({ connectionString: url() });
    expect(isUnavailable(await readApps(away))).toBe(true);
    await away.close();
  });

  test('is true if no connection is free in time; the next statement runs on a free connection', async () => {
    await onOneConnection(async (one) => {
      const held = await one.pool.connect();
      one.pool.options.connectionTimeoutMillis = 50;
      expect(isUnavailable(await readApps(one))).toBe(true);
      held.release();
      one.pool.options.connectionTimeoutMillis = 5_000;
      expect(await readApps(one)).toBeUndefined();
    });
  });

  test('is true if a statement exceeds its time limit', async () => {
    await onOneConnection(async ({ db }) => {
      await sql`set statement_timeout = '50ms'`.execute(db);
      expect(isUnavailable(await failure(sql`select pg_sleep(5)`.execute(db)))).toBe(true);
    });
  });

  test('is true for a deadlock, and isDeadlock only for that', async () => {
    const deadlock = await failure(sql`do $$ begin raise exception using errcode = 'deadlock_detected'; end $$`.execute(database.db));
    expect([isUnavailable(deadlock), isDeadlock(deadlock)]).toEqual([true, true]);
    expect(isDeadlock(await failure(sql`select 1 / 0`.execute(database.db)))).toBe(false);
  });

  test('is false if the statement is wrong, and for other errors', async () => {
    for (const wrong of [sql`select 1 / 0`, sql`select from nowhere`]) {
      expect(isUnavailable(await failure(wrong.execute(database.db)))).toBe(false);
    }
    expect(isUnavailable(await failure(records(database.db).user({ name: '' })))).toBe(false);
    expect(isUnavailable(new TypeError('undefined is not a function'))).toBe(false);
    expect(isUnavailable('ECONNREFUSED')).toBe(false);
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
    const reported = connect({ connectionString, max: 1, applicationName: 'reported', onError: (error) => errors.push(error) });
    await sql`select 1`.execute(reported.db);
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'reported'`.execute(database.db);
    await expect.poll(() => errors.length).toBe(1);
    expect((await sql`select 1 as one`.execute(reported.db)).rows).toEqual([{ one: 1 }]);
    await reported.close();
    await reported.close();
  });
});
