import { describe, expect, test } from 'vitest';
import { newId } from '../src/index.ts';
import { useDatabase } from './use-database.ts';

const { database, make, sql } = await useDatabase();

/** The counters that differ from the rows that they count. One statement, so that all are read from the same snapshot. */
const wrongCounters = () =>
  sql(`
    select tenant_id, counter, counted from (
      select tenant_id, sum(count) as counter from organization_counts group by tenant_id
    ) as counters full join (
      select '00000000-0000-0000-0000-000000000000'::uuid as tenant_id, count(*) as counted from organizations where deleted_at is null
      union all
      select tenant_id, count(*) from organization_tenants join organizations on organizations.id = organization_id
        where deleted_at is null group by tenant_id
    ) as rows using (tenant_id)
    where coalesce(counter, 0) <> coalesce(counted, 0)`);
const counterOf = async (tenantId: string) =>
  (await sql('select sum(count)::bigint as count from organization_counts where tenant_id = $1', [tenantId]))[0]?.['count'];

const insertLink = 'insert into organization_tenants (tenant_id, organization_id) values ($1, $2) on conflict do nothing';
const unlink = 'delete from organization_tenants where tenant_id = $1 and organization_id = $2';
const softDelete = 'update organizations set deleted_at = now() where id = $1';
const deleteTenant = 'delete from tenants where id = $1';

const [tenant, other] = [await make.tenant(), await make.tenant()];
for (const ids of [[], [tenant]]) await make.organization({}, ...ids);
const organization = await make.organization({}, tenant, other);

describe('the counters are exact after', () => {
  const insertMany = `
    with made as (insert into organizations (id, name, federal_tax_id) select gen_random_uuid(), 'Many', 'many ' || n from generate_series(1, 100) n
        returning id),
      links as (insert into organization_tenants (tenant_id, organization_id) select $1::uuid, id from made)
    insert into organization_tenants (tenant_id, organization_id) select $2::uuid, id from made`;
  test.each<[string, number | null, () => Promise<unknown>]>([
    ['creations', 2, async () => undefined],
    ['a link that exists', 2, () => sql(insertLink, [tenant, organization])],
    ['an update that deletes nothing', 2, () => sql("update organizations set name = 'New', deleted_at = deleted_at")],
    ['an unlink', 1, () => sql(unlink, [tenant, organization])],
    ['a new link', 2, () => sql(insertLink, [tenant, organization])],
    ['a soft deletion', 1, () => sql(softDelete, [organization])],
    ['a second soft deletion', 1, () => sql(softDelete, [organization])],
    ['a restoration', 1, () => sql('update organizations set deleted_at = null where id = $1', [organization])],
    ['a deletion of the row', 1, () => sql('delete from organizations where id = $1', [organization])],
    ['a creation of a deleted organization', 1, () => make.organization({ deletedAt: '2026-01-01' })],
    ['an insert of many rows', 101, () => sql(insertMany, [tenant, other])],
    ['a deletion of the tenant', null, () => sql(deleteTenant, [tenant])],
    ['a truncation of the links', null, () => sql('truncate organization_tenants cascade')],
    ['a truncation of the organizations', null, () => sql('truncate organizations cascade')],
  ])('%s', async (_title, expected, change) => {
    await change();
    expect(await wrongCounters()).toEqual([]);
    expect(await counterOf(tenant)).toBe(expected);
  });

  test('all, with no row left without organizations', async () => expect(await sql('select id from organization_counts')).toEqual([]));
});

type SqlStatement = [text: string, values: unknown[]];
/** Runs statements in a transaction that stays open until `end`. */
async function openTransaction(...statements: SqlStatement[]) {
  const client = await database.pool.connect();
  const end = async (command: 'commit' | 'rollback') => {
    await client.query(command);
    client.release();
  };
  try {
    await client.query('begin');
    for (const [text, values] of statements) await client.query(text, values);
    return end;
  } catch (error) {
    await end('rollback');
    throw error;
  }
}
/** The statements that create an organization in a tenant. */
const creationIn = (tenantId: string, id = newId()): SqlStatement[] => [
  ["insert into organizations (id, name, federal_tax_id) values ($1::uuid, 'Parallel', right($1::uuid::text, 14))", [id]],
  [insertLink, [tenantId, id]],
];

test('creations at the same time do not wait for each other, and a rollback counts nothing', async () => {
  const counted = await make.tenant();
  const ends = [];
  // A creation that waited for another open transaction would never return.
  for (let index = 0; index < 6; index += 1) ends.push(await openTransaction(...creationIn(counted), ...creationIn(counted)));
  expect(await counterOf(counted)).toBeNull();
  for (const [index, end] of ends.entries()) await end(index % 3 === 0 ? 'rollback' : 'commit');
  expect(await counterOf(counted)).toBe(8);
  expect(await wrongCounters()).toEqual([]);
});

test('the counters are exact in every snapshot while random changes run at the same time', { timeout: 120_000 }, async () => {
  const [writers, changesPerWriter] = [8, 60];
  const tenants = await Promise.all(Array.from({ length: 3 }, () => make.tenant()));
  const any = <Item>(items: Item[]): Item => items[Math.floor(Math.random() * items.length)]!;
  const made: string[] = [];
  const change = async (): Promise<SqlStatement[]> => {
    const [tenantId, organizationId, kind] = [any(tenants), any(made) ?? newId(), Math.random()];
    if (kind < 0.4) {
      made.push(newId());
      return creationIn(tenantId, made.at(-1));
    }
    if (kind < 0.6) return [[insertLink, [tenantId, organizationId]]];
    if (kind < 0.8) return [[unlink, [tenantId, organizationId]]];
    if (kind < 0.95) return [[softDelete, [organizationId]]];
    tenants.splice(tenants.indexOf(tenantId), 1, await make.tenant());
    return [[deleteTenant, [tenantId]]];
  };
  const outcomes = new Set<string>();
  let running = writers;
  const write = async () => {
    for (let count = 0; count < changesPerWriter; count += 1) {
      const command = Math.random() < 0.2 ? 'rollback' : 'commit';
      try {
        await (
          await openTransaction(...(await change()))
        )(command);
        outcomes.add(command);
      } catch (error) {
        // An organization or tenant that is absent or was deleted at the same time.
        outcomes.add(String(Reflect.get(error as object, 'code')));
      }
    }
    running -= 1;
  };
  const written = Promise.all(Array.from({ length: writers }, write));
  let snapshots = 0;
  for (; running > 0; snapshots += 1) expect(await wrongCounters()).toEqual([]);
  await written;
  expect(await wrongCounters()).toEqual([]);
  expect(snapshots).toBeGreaterThan(0);
  expect([...outcomes].toSorted()).toEqual(['23503', 'commit', 'rollback']);
});
