import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { connect, type Database, newId } from '../../src/index.ts';
import { records } from '../records.ts';

let database: Database;
let make: ReturnType<typeof records>;
beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase(), max: 1 });
  make = records(database.db);
});
afterAll(() => database.close());

const sql = async (text: string, values: unknown[] = []) => (await database.pool.query<Record<string, unknown>>(text, values)).rows;
/** Runs the statements in one transaction, records it, and returns its entry and its event. */
async function write(event: string, id: string, ...statements: [text: string, values: unknown[]][]) {
  const requestId = newId();
  await sql('begin');
  for (const [text, values] of statements) await sql(text, values);
  await sql(`select record_write('test', 'SYSTEM', null, $1, null, $2, $3)`, [requestId, [event], id]);
  await sql('commit');
  const [found = {}] = await sql(
    `select before, after, related, cascade, type, changed, data from audit_entries join events using (id) where audit_entries.request_id = $1`,
    [requestId],
  );
  return found;
}
const insertContacts = `insert into organization_contacts (id, organization_id, type, value)
  select gen_random_uuid(), $1, 'EMAIL', 'a@example.com' from generate_series(1, $2)`;
const captured = `select tgrelid from pg_trigger where tgname like 'capture_%'`;

test('every table with a version captures its insertions, updates and deletions', async () => {
  const rows = await sql(`
    select relname as table, bit_or(tgtype::int & (4 | 8 | 16))::int as events from pg_class
    join pg_attribute on attrelid = pg_class.oid and attname = 'version' left join pg_trigger on tgrelid = pg_class.oid and tgname like 'capture_%'
    where relkind = 'r' and relnamespace = 'public'::regnamespace group by 1 order by 1`);
  expect(rows).toHaveLength(12);
  expect(rows.filter(({ events }) => events !== (4 | 8 | 16))).toEqual([]);
});

test('timestamps are the columns that end with _at, _from or _to', async () => {
  const columns = await sql(`
    select attrelid::regclass::text || '.' || attname as name from pg_attribute
    where attnum > 0 and not attisdropped and attrelid in (${captured})
      and (atttypid = 'timestamptz'::regtype) <> (attname ~ '_(at|from|to)$')`);
  expect(columns).toEqual([]);
});

test('a new column needs no new trigger', async () => {
  const id = await make.organization();
  await sql('alter table organizations add column trade_licence text');
  const [{ version, updated_at: updatedAt } = {}] = await sql('select version, updated_at from organizations where id = $1', [id]);
  const { changed, data, before, after } = await write('organization.updated', id, [
    'update organizations set trade_licence = $2 where id = $1',
    [id, 'A 1'],
  ]);
  expect({ changed, before, after }).toEqual({ changed: ['tradeLicence'], before: { tradeLicence: null }, after: { tradeLicence: 'A 1' } });
  expect(data).toMatchObject({ tradeLicence: 'A 1', name: 'Cooperativa', deletedAt: null });
  expect(data).not.toHaveProperty('searchName');
  expect(
    await sql('select version > $2 as version, updated_at > $3 as time from organizations where id = $1', [id, version, updatedAt]),
  ).toEqual([{ version: true, time: true }]);
});

describe('of many changed rows', () => {
  // Rules: AUDIT-8
  test('the first 100 of a type are related, the others are counted', async () => {
    const id = await make.organization();
    const { related, cascade } = await write(
      'organization.updated',
      id,
      [insertContacts, [id, 250]],
      [`update organizations set alias = 'A' where id = $1`, [id]],
    );
    expect((related as unknown[]).length).toBe(100);
    expect(cascade).toEqual({ organizationContact: 150 });
  });

  // Rules: AUDIT-8
  test('a deletion counts the rows that it has deleted in several statements', async () => {
    const [tenant, other] = [await make.tenant(), await make.tenant()];
    const user = await make.user();
    for (let count = 0; count < 3; count += 1) await make.organization({}, tenant, other);
    await sql(`
      with made as (insert into organizations (id, name, federal_tax_id) select gen_random_uuid(), 'Many', 'many ' || n from generate_series(1, 150) n returning id)
      insert into organization_tenants (tenant_id, organization_id) select '${tenant}'::uuid, id from made`);
    await make.restricted(
      user,
      tenant,
      ...(await sql('select organization_id as id from organization_tenants where tenant_id = $1 limit 2', [tenant])).map(({ id }) =>
        String(id),
      ),
    );
    const { type, related, cascade, data } = await write('tenant.deleted', tenant, ['delete from tenants where id = $1', [tenant]]);
    expect({ type, related, cascade }).toEqual({
      type: 'tenant.deleted',
      related: [],
      cascade: { organizationLink: 153, membership: 1, organizationScope: 2 },
    });
    expect(data).toMatchObject({ id: tenant });
  });

  test('a soft-deleted organization counts the rows that it hides', async () => {
    const id = await make.organization({}, await make.tenant());
    await sql(insertContacts, [id, 3]);
    const { type, cascade } = await write('organization.deleted', id, ['update organizations set deleted_at = now() where id = $1', [id]]);
    expect({ type, cascade }).toEqual({ type: 'organization.deleted', cascade: { organizationContact: 3, organizationLink: 1 } });
  });
});

test('several changes of a record are one change, from its first state to its last', async () => {
  const id = await make.customer();
  const update = (name: string): [string, unknown[]] => ['update customers set name = $2 where id = $1', [id, name]];
  expect(await write('customer.updated', id, update('First'), update('Second'))).toMatchObject({
    before: { name: 'Central' },
    after: { name: 'Second' },
    changed: ['name'],
    related: [],
  });
  const created = newId();
  const insert: [string, unknown[]] = [`insert into customers (id, name, federal_tax_id) values ($1, 'New', 'x')`, [created]];
  expect(await write('customer.created', created, insert, ['update customers set alias = $2 where id = $1', [created, 'A']])).toMatchObject(
    { before: null, after: { name: 'New', alias: 'A' }, type: 'customer.created' },
  );
});

test('a change that no declared event is about is an error', async () => {
  await expect(write('app.created', newId(), ["update customers set alias = 'x'", []])).rejects.toThrow('none that its events are about');
  await sql('rollback');
});
