import pg from 'pg';

/** The rows of each table as text, in an order of their own. */
export type Rows = Record<string, string[]>;

const tables = `
  select quote_ident(nspname) || '.' || quote_ident(relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind = 'r' and nspname <> 'information_schema' and nspname !~ '^pg_' order by 1`;

/** Reads all rows of all tables. The tables of the restored copy are the same. */
export async function readRows(client: pg.ClientBase): Promise<Rows> {
  const rows: Rows = {};
  for (const { name } of (await client.query<{ name: string }>(tables)).rows) {
    // The number tells equal rows apart.
    const numbered = `select record::text || ' ' || row_number() over (partition by record::text) as row from ${name} as record`;
    rows[name] = (await client.query<{ row: string }>(numbered)).rows.map(({ row }) => row);
  }
  return rows;
}

/** Reads all rows of a database. */
export async function readDatabase(connectionString: string): Promise<Rows> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await readRows(client);
  } finally {
    await client.end();
  }
}

/** The rows that a restored database has besides the others, or lacks, by table. A restore adds rows to event_epochs only. */
export function differences(expected: Rows, restored: Rows): Record<string, { lost: string[]; added: string[] }> {
  const found: Record<string, { lost: string[]; added: string[] }> = {};
  for (const name of new Set([...Object.keys(expected), ...Object.keys(restored)])) {
    const [before, after] = [new Set(expected[name]), new Set(restored[name])];
    const [lost, added] = [[...before].filter((row) => !after.has(row)), [...after].filter((row) => !before.has(row)).toSorted()];
    if (lost.length + added.length > 0) found[name] = { lost, added };
  }
  return found;
}
