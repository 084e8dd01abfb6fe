/** Runs SQL without the service. */
type Sql = <Row extends object>(text: string) => Promise<Row[]>;

/** Tables by the type of their records in the audit log. The address of a new organization is not in it: it has no audit entry of its own. */
const tables = {
  organization: 'organizations',
  app: 'apps',
  user: 'users',
  attachment: 'attachments',
  organizationContact: 'organization_contacts',
};

/** Describes records without a creation in the audit log, creations without a record, double creations, and audit entries and events that do not match one to one. */
export async function findHalfDone(sql: Sql): Promise<string[]> {
  const found: string[] = [];
  const report = async (text: string, query: string) => {
    const rows = await sql<{ id: string }>(query);
    if (rows.length > 0) found.push(`${text}: ${rows.length}, such as ${rows[0]?.id}`);
  };
  for (const [type, table] of Object.entries(tables)) {
    const entries = `select record_id as id from audit_entries where record_type = '${type}' and outcome = 'COMMITTED'`;
    const [created, deleted] = [`${entries} and before is null and after is not null`, `${entries} and after is null`];
    const live = `select id::text from ${table}`;
    await report(`creations of ${table} without a record`, `(${created}) except (${live} union all ${deleted})`);
    await report(`${table} without a creation`, `(${live}) except (${created})`);
    await report(`${table} created twice`, `${created} group by record_id having count(*) > 1`);
  }
  await report(
    'audit entries and events that are not exactly one of each',
    `select id from audit_entries full join events using (id, record_type, record_id, occurred_at)
     where outcome is distinct from 'REFUSED' and operation is distinct from 'geography.load'
     group by id, record_type, record_id, occurred_at having count(outcome) <> 1 or count(type) <> 1`,
  );
  return found;
}
