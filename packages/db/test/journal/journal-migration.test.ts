import { expect, test } from 'vitest';
import { migrate, newId } from '../../src/index.ts';
import { createOldDatabase } from '../old-database.ts';
import { openDatabase } from '../use-database.ts';
import { recordOf } from './writer.ts';

test('the migration to the journal keeps all audit entries and events, and the statements of the version before it', async () => {
  // One session, which stays open.
  const { url, database, make, sql } = await openDatabase({ connectionString: await createOldDatabase('0021-input-rules'), max: 1 });
  const entries = async () => {
    const text = 'select *, related::text as texts from audit_entries order by occurred_at, id';
    return (await database.pool.query<Record<string, unknown>>({ name: 'entries', text })).rows;
  };
  const events = () =>
    sql<{ sequence: number }>(
      'select epoch, transaction_id, sequence, id, type, occurred_at, actor_kind, actor_id, request_id, tenant_id, organization_id, record_type, record_id, changed, data::text as text from events order by epoch, transaction_id, sequence',
    );
  const write = (event: string, ...statements: [text: string, values: unknown[]][]) =>
    database.transaction(async (executor) => {
      for (const [text, values] of statements) await executor.query(text, values);
      await executor.query(`select record_write('test', 'USER', $1, 'request', $2, $3, null)`, [newId(), newId(), [event]]);
    });

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
  const before = { entries: await entries(), events: await events() };
  expect([before.entries.length, before.events.length]).toEqual([9, 6]);

  await migrate(url);
  expect({ entries: await entries(), events: await events() }).toEqual(before);
  await expect(sql('delete from journal')).rejects.toThrow('Audit entries cannot be changed');
  await sql('select create_audit_partitions(3)');
  expect(await sql('with deleted as (delete from events returning 1) select from deleted')).toEqual([]);

  await database.transaction(async (executor) => {
    executor.beforeCommit(() => [recordOf('app.created', null)]);
    await executor.query('insert into apps (id, name) values ($1, $2)', [newId(), 'Next']);
  });
  const [next, ...older] = (await events()).toReversed();
  expect(older.toReversed()).toEqual(before.events);
  expect(next?.sequence).toBeGreaterThan(Math.max(...older.map(({ sequence }) => sequence)));
});
