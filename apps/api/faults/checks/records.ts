import type { Environment } from '../environment/environment.ts';
import type { Acknowledged } from '../load/writer.ts';

/** Tables of the records that writers create, by their type in the audit log. The creation of an organization also creates an address, without an entry of its own. */
const tables = {
  organization: 'organizations',
  app: 'apps',
  user: 'users',
  attachment: 'attachments',
  organizationContact: 'organization_contacts',
};

/** Returns what contradicts this: each acknowledged write has exactly one event and one audit entry, and each record has one creation. */
export async function checkRecords({ database: { sql } }: Environment, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const ids = [...new Set(acknowledged.map(({ recordId }) => recordId))];
  const events = await sql<{ type: string; record: string; name: string | null; entries: number }>(
    `select events.type, events.record_id as record, data ->> 'name' as name, count(distinct audit_entries.id)::int as entries
     from events left join audit_entries using (record_type, record_id, occurred_at)
     where events.record_id = any($1) group by events.id, events.type, events.record_id, events.data, events.occurred_at`,
    [ids],
  );
  const keyOf = (type: string, id: string, name: unknown) =>
    type === 'organization.updated' ? `${type} ${id} ${String(name)}` : `${type} ${id}`;
  const counts = Map.groupBy(events, ({ type, record, name }) => keyOf(type, record, name));
  const lost = acknowledged
    .map(({ event, recordId, request }) => keyOf(event, recordId, (request.body as { name?: string } | undefined)?.name))
    .filter((write) => counts.get(write)?.length !== 1 || counts.get(write)?.[0]?.entries !== 1);
  return [
    ...lost.map((write) => `"${write}" was acknowledged and has not exactly one event and one audit entry`),
    ...(await findHalfDone(sql)),
  ];
}

/** Returns records without a creation in the audit log, creations without a record, double creations, and entries without an event. */
async function findHalfDone(sql: Environment['database']['sql']): Promise<string[]> {
  const found: string[] = [];
  const report = async (text: string, query: string) => {
    const rows = await sql<{ id: string }>(query);
    if (rows.length > 0) found.push(`${text}: ${rows.length}, such as ${rows[0]?.id}`);
  };
  for (const [type, table] of Object.entries(tables)) {
    const entries = `select record_id::text as id from audit_entries where record_type = '${type}' and outcome = 'COMMITTED'`;
    const [created, deleted] = [`${entries} and before is null and after is not null`, `${entries} and after is null`];
    await report(`creations of ${table} without a record`, `(${created}) except (select id::text from ${table} union all ${deleted})`);
    await report(`${table} without a creation`, `(select id::text from ${table}) except (${created})`);
    await report(`${table} created twice`, `${created} group by record_id having count(*) > 1`);
  }
  await report(
    'audit entries without an event',
    `select audit_entries.id from audit_entries left join events using (record_type, record_id, occurred_at)
     where outcome = 'COMMITTED' and operation <> 'geography.load' and events.id is null`,
  );
  return found;
}
