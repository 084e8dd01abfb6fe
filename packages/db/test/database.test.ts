import { createServer, type Server } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import {
  connect,
  type Database,
  isDeadlock,
  isUnavailable,
  newId,
  type Placeholders,
  statement,
  withoutScopedTables,
} from '../src/index.ts';
import { connectionConfig } from '../src/database.ts';
import { startLine } from './unreliable-proxy.ts';
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
  test('makes UUIDv7 in order', () => {
    const ids = Array.from({ length: 100 }, newId);
    expect(ids).toEqual(ids.toSorted());
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('columns', () => {
  const instant = (text: string, zone = 'UTC') =>
    onOneConnection(async ({ db }) => {
      await sql`set time zone ${sql.lit(zone)}`.execute(db);
      const { rows } = await sql<{ at: string }>`select ${text}::timestamptz as at`.execute(db);
      return rows[0]?.at;
    });

  // Rules: RECORDS-2
  test.each([
    ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00.000Z'],
    ['2026-01-15T12:00:00.5Z', '2026-01-15T12:00:00.500Z'],
    ['2026-01-15T12:00:00.045Z', '2026-01-15T12:00:00.045Z'],
    ['2026-01-15T12:00:00.123456Z', '2026-01-15T12:00:00.123Z'],
    ['2026-01-15T09:00:00-03:00', '2026-01-15T12:00:00.000Z'],
    ['0999-12-31T23:59:59.999Z', '0999-12-31T23:59:59.999Z'],
  ])('timestamp %s is %s', async (text, expected) => {
    expect(await instant(text)).toBe(expected);
    expect(await instant(text, 'Asia/Kathmandu')).toBe(expected);
  });

  test('bigint is a number, date the text of the day', async () => {
    const { rows } = await sql`select 9007199254740991::bigint as big, date '2026-02-28' as day`.execute(database.db);
    expect(rows).toEqual([{ big: Number.MAX_SAFE_INTEGER, day: '2026-02-28' }]);
  });

  test('json keeps its keys, an array passed as JSON text its elements', async () => {
    const metadata = { snake_key: 1, camelKey: { inner_key: [{ deep_key: null }] }, 'Ünïcode key': '%' };
    const id = await records(database.db).tenant({ metadata, allowedScopes: ['read_all', 'a,b', '"quoted"'] });
    const row = await database.db.selectFrom('tenants').select(['metadata', 'allowedScopes']).where('id', '=', id).executeTakeFirst();
    expect(row).toEqual({ metadata, allowedScopes: ['read_all', 'a,b', '"quoted"'] });
    const { rows } = await sql`select ${JSON.stringify([{ a_b: 1 }])}::jsonb as list`.execute(database.db);
    expect(rows).toEqual([{ list: [{ a_b: 1 }] }]);
  });

  test('the pool alone reads them so', async () => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    const { rows } = await client.query('select 1::bigint as big, now() as at');
    await client.end();
    expect(rows).toEqual([{ big: '1', at: expect.any(Date) }]);
  });
});

describe('statements', () => {
  const prepared = async ({ pool }: Database) =>
    (await pool.query<{ statement: string; name: string }>('select name, statement from pg_prepared_statements order by prepare_time'))
      .rows;

  const appNamed = statement((db, p: Placeholders<{ name: string }>) => db.selectFrom('apps').selectAll().where('name', '=', p.name));
  const findAppNamed = statement((db, p: Placeholders<{ name: string }>) => db.selectFrom('apps').select('id').where('name', '=', p.name));

  test('that are compiled are prepared once each; others run unnamed and are reported', async () => {
    const unprepared: string[] = [];
    const one = connect({ connectionString, max: 1, onUnprepared: (text) => unprepared.push(text) });
    const db = withoutScopedTables(one.db);
    for (const name of ['a', 'b', 'c']) await db.all(findAppNamed, { name });
    await db.first(appNamed, { name: 'a' });
    await one.db.selectFrom('apps').selectAll().execute();
    await one.db.selectFrom('apps').selectAll().where('name', 'in', ['a', 'b']).execute();
    await sql`select 1; select 2`.execute(one.db);
    expect(await prepared(one)).toEqual([
      { name: expect.stringMatching(/^s_[\da-f]{32}$/), statement: 'select "id" from "apps" where "name" = $1' },
      { name: expect.stringMatching(/^s_[\da-f]{32}$/), statement: 'select * from "apps" where "name" = $1' },
    ]);
    expect(unprepared).toEqual(['select * from "apps" where "name" in ($1, $2)']);
    await one.close();
  });

  test('have the same name on every instance', async () => {
    const namesOn = (database_: Database) => prepared(database_).then((found) => found.map(({ name }) => name));
    const names: string[][] = [];
    for (const _ of [1, 2]) {
      await onOneConnection(async (one) => {
        await withoutScopedTables(one.db).all(findAppNamed, { name: 'a' });
        names.push(await namesOn(one));
      });
    }
    expect(names[0]).toEqual(names[1]);
    expect(names[0]).toHaveLength(1);
  });

  test('survive a migration that changes their columns', async () => {
    await onOneConnection(async ({ db, pool }) => {
      const read = (on = db) => withoutScopedTables(on).all(appNamed, { name: 'none' });
      const add = (column: string) => pool.query(`alter table apps add column ${column} text`);
      await read();
      await add('first');
      expect(await read()).toEqual([]);
      await add('second');
      await expect(db.transaction().execute((trx) => read(trx))).rejects.toThrow('cached plan');
      expect(await db.transaction().execute((trx) => read(trx))).toEqual([]);
    });
  });
});

describe('isUnavailable', () => {
  const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((error: unknown) => error);
  const attempt = async (url: string) => {
    const away = connect({ connectionString: url });
    const error = await failure(away.db.selectFrom('apps').selectAll().execute());
    await away.close();
    return error;
  };

  test('when nobody listens, or the host has no address', async () => {
    expect(isUnavailable(await attempt('postgres://nobody@127.0.0.1:1/nothing'))).toBe(true);
    expect(isUnavailable(await attempt('postgres://nobody@no-such-host.invalid/nothing'))).toBe(true);
  });

  test('when the server refuses the connection', async () => {
    const elsewhere = new URL(connectionString);
    elsewhere.pathname = 'absent';
    expect(isUnavailable(await attempt(elsewhere.href))).toBe(true);
    const stranger = new URL(connectionString);
    stranger.username = 'stranger';
    expect(isUnavailable(await attempt(stranger.href))).toBe(true);
  });

  test('when the server breaks the connection off', async () => {
    const server: Server = createServer((socket) => socket.once('data', () => socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = address && typeof address === 'object' ? address.port : 0;
    expect(isUnavailable(await attempt(`postgres://nobody@127.0.0.1:${port}/nothing`))).toBe(true);
    server.close();
  });

  test('when no connection is free in time, and not when there is one again', async () => {
    await onOneConnection(async ({ db, pool }) => {
      const held = await pool.connect();
      expect(isUnavailable(await failure(db.selectFrom('apps').selectAll().execute()))).toBe(true);
      held.release();
      expect(await failure(db.selectFrom('apps').selectAll().execute())).toBeUndefined();
    });
  });

  test('when the connection is ended in a transaction; the pool goes on with another', async () => {
    await onOneConnection(async ({ db }) => {
      const error = await failure(
        db.transaction().execute(async (trx) => {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
          await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(database.db);
          await trx.selectFrom('apps').selectAll().execute();
        }),
      );
      expect(error).toBeInstanceOf(Error);
      expect(isUnavailable(error)).toBe(true);
      expect(await failure(db.selectFrom('apps').selectAll().execute())).toBeUndefined();
    });
  });

  test('when a statement takes longer than the server allows', async () => {
    await onOneConnection(async ({ db }) => {
      await sql`set statement_timeout = '50ms'`.execute(db);
      expect(isUnavailable(await failure(sql`select pg_sleep(5)`.execute(db)))).toBe(true);
    });
  });

  test('when two transactions wait for each other and one is ended, which isDeadlock tells apart', async () => {
    const names = [newId(), newId()] as const;
    for (const name of names) await records(database.db).app({ name });
    const bothInOrder = ([first, second]: readonly string[], meet: () => Promise<void>) =>
      database.db.transaction().execute(async (trx) => {
        const lock = (name: string | undefined) => sql`select 1 from apps where name = ${name} for update`.execute(trx);
        await lock(first);
        await meet();
        await lock(second);
      });
    const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const meet = (mine: number, theirs: number) => () => {
      locked[mine]?.resolve();
      return locked[theirs]?.promise ?? Promise.resolve();
    };
    const errors = await Promise.all([failure(bothInOrder(names, meet(0, 1))), failure(bothInOrder(names.toReversed(), meet(1, 0)))]);
    const error = errors.find((each) => each !== undefined);
    expect(errors).toContain(undefined);
    expect([isUnavailable(error), isDeadlock(error)]).toEqual([true, true]);
  });

  test('not when the statement is at fault', async () => {
    expect(isDeadlock(await failure(sql`select 1 / 0`.execute(database.db)))).toBe(false);
    expect(isUnavailable(await failure(sql`select 1 / 0`.execute(database.db)))).toBe(false);
    expect(isUnavailable(await failure(sql`select from nowhere`.execute(database.db)))).toBe(false);
    expect(isUnavailable(await failure(records(database.db).user({ name: '' })))).toBe(false);
    expect(isUnavailable(new TypeError('undefined is not a function'))).toBe(false);
    expect(isUnavailable('ECONNREFUSED')).toBe(false);
  });
});

describe('connect', () => {
  test('limits every wait, and has each statement planned for the tenant at hand', async () => {
    const { rows } = await sql`
      select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as transaction,
        current_setting('plan_cache_mode') as plans`.execute(database.db);
    expect(rows).toEqual([{ statement: '10s', transaction: '15s', plans: 'force_custom_plan' }]);
  });

  test('verifies the certificate where it has an authority, whatever the address says', () => {
    const address = (query: string) => connectionConfig({ connectionString: `postgres://me@db.example/profile${query}`, ca: 'PEM' });
    expect(address('?sslmode=no-verify&keepalives=1')).toMatchObject({
      connectionString: 'postgres://me@db.example/profile?keepalives=1',
      ssl: { ca: 'PEM', rejectUnauthorized: true },
    });
    expect(address('?a=b&sslmode=disable').connectionString).toBe('postgres://me@db.example/profile?a=b&');
    expect(connectionConfig({ connectionString: 'postgres://me@db.example/profile?sslmode=verify-full' })).not.toHaveProperty('ssl');
  });

  test('tells of connections that break while idle, and replaces them', async () => {
    const errors: Error[] = [];
    const told = connect({ connectionString, max: 1, applicationName: 'told', onError: (error) => errors.push(error) });
    await sql`select 1`.execute(told.db);
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'told'`.execute(database.db);
    await expect.poll(() => errors.length).toBe(1);
    expect((await sql`select 1 as one`.execute(told.db)).rows).toEqual([{ one: 1 }]);
    await told.close();
    await told.close();
  });

  test('tells of none that break once they are being closed', async () => {
    const line = await startLine(connectionString);
    const errors: Error[] = [];
    const closed = connect({ connectionString: line.url, max: 1, applicationName: 'closed', onError: (error) => errors.push(error) });
    await sql`select 1`.execute(closed.db);
    const removed = new Promise((resolve) => closed.pool.once('remove', resolve));
    line.hold(true);
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'closed'`.execute(database.db);
    await closed.close();
    line.hold(false);
    await removed;
    expect(errors).toEqual([]);
    await line.stop();
  });
});
