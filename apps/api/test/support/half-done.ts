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

/** Describes records without a creation in the audit log, creations without a record, double creations, and audit entries without an event. */
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
    'audit entries without an event',
    `select audit_entries.id from audit_entries left join events using (id, record_type, record_id, occurred_at)
     where outcome = 'COMMITTED' and operation <> 'geography.load' and events.type is null`,
  );
  return found;
}
