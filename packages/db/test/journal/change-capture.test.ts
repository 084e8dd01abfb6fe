import type { EventType } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { newId } from '../../src/index.ts';
import { useDatabase } from '../use-database.ts';
import { recordOf } from './writer.ts';

const { database, make, sql } = await useDatabase({ max: 1 });

type SqlStatement = [text: string, values?: unknown[]];
/** Runs the statements in one transaction, records it, and returns its entry and its event. */
async function write(event: EventType, id: string, ...statements: SqlStatement[]) {
  const requestId = newId();
  await database.transaction(async (executor) => {
    executor.beforeCommit(() => [recordOf(event, id, requestId)]);
    for (const [text, values] of statements) await executor.query(text, values);
  });
  const [found] = await sql(
    `select before, after, related, cascade, type, changed, data from audit_entries join events using (id) where audit_entries.request_id = $1`,
    [requestId],
  );
  return found;
}

test('a new column needs no new trigger', async () => {
  const id = await make.organization();
  await sql('alter table organizations add column added_later text');
  const [old] = await sql('select version, updated_at from organizations where id = $1', [id]);
  const written = await write('organization.updated', id, ['update organizations set added_later = $2 where id = $1', [id, 'A 1']]);
  const values = { changed: ['addedLater'], before: { addedLater: null }, after: { addedLater: 'A 1' } };
  expect(written).toMatchObject({ ...values, data: { addedLater: 'A 1', name: 'Cooperativa', deletedAt: null } });
  expect(written?.['data']).not.toHaveProperty('searchName');
  const isNewer = 'select version > $2 as version, updated_at > $3 as time from organizations where id = $1';
  expect(await sql(isNewer, [id, old?.['version'], old?.['updated_at']])).toEqual([{ version: true, time: true }]);
});

// Rules: AUDIT-8
test('of many changed rows, the first 100 of a type are related, and the others are counted', async () => {
  const id = await make.organization();
  const insertContacts = `insert into organization_contacts (id, organization_id, type, value)
    select gen_random_uuid(), $1, 'EMAIL', 'a@example.com' from generate_series(1, 250)`;
  const rename: SqlStatement = [`update organizations set alias = 'A' where id = $1`, [id]];
  const written = await write('organization.updated', id, [insertContacts, [id]], rename);
  expect(written?.['related']).toHaveLength(100);
  expect(written?.['cascade']).toEqual({ organizationContact: 150 });
});

// Rules: AUDIT-8
test('a deletion counts the rows that it has deleted in several statements', async () => {
  const [tenant, other, user] = [await make.tenant(), await make.tenant(), await make.user()];
  const linked = [];
  for (let count = 0; count < 3; count += 1) linked.push(await make.organization({}, tenant, other));
  await sql(`
    with made as (insert into organizations (id, name, federal_tax_id) select gen_random_uuid(), 'Many', 'many ' || n from generate_series(1, 150) n returning id)
    insert into organization_tenants (tenant_id, organization_id) select '${tenant}'::uuid, id from made`);
  await make.restricted(user, tenant, ...linked.slice(1));
  expect(await write('tenant.deleted', tenant, ['delete from tenants where id = $1', [tenant]])).toMatchObject({
    type: 'tenant.deleted',
    related: [],
    cascade: { organizationLink: 153, membership: 1, organizationScope: 2 },
    data: { id: tenant },
  });
});

test('several changes of a record are one change, from its first state to its last', async () => {
  const id = await make.customer();
  const update = (column: string, ofId: string, value: string): SqlStatement => [
    `update customers set ${column} = $2 where id = $1`,
    [ofId, value],
  ];
  const [first, second] = [update('name', id, 'First'), update('name', id, 'Second')];
  const expected = { before: { name: 'Central' }, after: { name: 'Second' }, changed: ['name'], related: [] };
  expect(await write('customer.updated', id, first, second)).toMatchObject(expected);
  const created = newId();
  const insert: SqlStatement = [`insert into customers (id, name, federal_tax_id) values ($1, 'New', 'x')`, [created]];
  const creation = { before: null, after: { name: 'New', alias: 'A' }, type: 'customer.created' };
  expect(await write('customer.created', created, insert, update('alias', created, 'A'))).toMatchObject(creation);
});

test('a change that no declared event is about is an error', async () => {
  const change = write('app.created', newId(), ["update customers set alias = 'x'"]);
  await expect(change).rejects.toThrow('none that its events are about');
});
