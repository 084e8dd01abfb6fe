import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmptyDatabase } from '../../../../test/database.ts';
import { connect, type Database, migrate, newId } from '../../src/index.ts';
import { installJobQueue } from '../../src/jobs/install.ts';
import { migrations } from '../../src/migrations/index.ts';
import { records } from '../records.ts';

const readEntries = 'select *, related::text as texts from audit_entries order by occurred_at, id';
const readEvents = 'select *, data::text as text from events order by epoch, transaction_id, sequence';

let url: string;
let database: Database;
/** A session of the version before the journal, which stays open. */
let session: pg.Client;
let before: { entries: unknown[]; events: unknown[] };
const sql = async (text: string, values: unknown[] = []) => (await session.query<Record<string, unknown>>(text, values)).rows;

/** Runs the statements in one transaction, and records it. */
async function write(event: string, ...statements: [text: string, values: unknown[]][]): Promise<void> {
  await sql('begin');
  for (const [text, values] of statements) await sql(text, values);
  await sql(`select record_write('test', 'USER', $1, 'request', $2, $3, null)`, [newId(), newId(), [event]]);
  await sql('commit');
}
const prepared = { name: 'entries', text: readEntries };

beforeAll(async () => {
  url = await createEmptyDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await installJobQueue(pool);
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo('0021-input-rules');
  if (error) throw error as Error;
  await db.destroy();
  database = connect({ connectionString: url, max: 1 });
  session = new pg.Client({ connectionString: url });
  await session.connect();

  const make = records(database.db);
  const [tenant, user] = [await make.tenant(), await make.user()];
  const [first, second] = [await make.organization({}, tenant), await make.organization({}, tenant)];
  await make.restricted(user, tenant, first);
  const app = newId();
  await write('app.created', ['insert into apps (id, name) values ($1, $2)', [app, 'App']]);
  await write('app.updated', ['update apps set name = $2 where id = $1', [app, 'New']]);
  await write('app.deleted', ['delete from apps where id = $1', [app]]);
  await write(
    'organization.updated',
    ['update organizations set metadata = $2, alias = $3 where id = $1', [first, { long: 'x'.repeat(9_000) }, 'A']],
    [`insert into organization_contacts (id, organization_id, type, value) values ($1, $2, 'EMAIL', 'a@example.com')`, [newId(), first]],
    ['update organizations set alias = $2 where id = $1', [second, 'B']],
  );
  await write(
    'organizationScope.updated',
    ['delete from membership_organizations where user_id = $1', [user]],
    ['insert into membership_organizations (user_id, tenant_id, organization_id) values ($1, $2, $3)', [user, tenant, second]],
  );
  await write('membership.updated', ["update memberships set persona = 'viewer', scope = 'ALL' where user_id = $1", [user]]);
  await write('organization.deleted', ['update organizations set deleted_at = now() where id = $1', [first]]);
  await sql(`select record_refusal('test', 'NOT_ALLOWED', 'USER', $1, 'request', null, 'app', 'x')`, [newId()]);
  await sql('select record_geography_load(1, 2)');
  // The retention has deleted the oldest event.
  await sql('delete from events where sequence = (select min(sequence) from events)');
  before = { entries: (await session.query(prepared)).rows, events: await sql(readEvents) };
  await migrate(url);
});
afterAll(async () => {
  await session.end();
  await database.close();
});

describe('the migration to the journal', () => {
  test('keeps all audit entries and events', async () => {
    expect(before.entries).toHaveLength(9);
    expect(before.events).toHaveLength(6);
    expect(await sql(readEntries)).toEqual(before.entries);
    expect(await sql(readEvents)).toEqual(before.events);
  });

  test('the next event has a higher sequence, and entries cannot be changed', async () => {
    await write('app.created', ['insert into apps (id, name) values ($1, $2)', [newId(), 'Next']]);
    const events = await sql(readEvents);
    expect(events.slice(0, -1)).toEqual(before.events);
    expect(Number(events.at(-1)?.['sequence'])).toBeGreaterThan(
      Math.max(...before.events.map((event) => Number((event as { sequence: string }).sequence))),
    );
    await expect(sql('delete from journal')).rejects.toThrow('Audit entries cannot be changed');
  });

  test('leaves the version before it its statements: prepared reads, partitions, and the deletion of old events', async () => {
    const { rows } = await session.query(prepared);
    expect(rows.slice(0, 9)).toEqual(before.entries);
    await sql('select create_audit_partitions(3)');
    expect(await sql('with deleted as (delete from events returning 1) select count(*)::int as count from deleted')).toEqual([
      { count: 0 },
    ]);
    expect((await sql(readEvents)).length).toBeGreaterThanOrEqual(6);
  });
});
