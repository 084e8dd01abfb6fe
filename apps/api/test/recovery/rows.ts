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
    const found = await client.query<{ row: string }>(`select record::text as row from ${name} as record`);
    rows[name] = found.rows.map(({ row }) => row).toSorted();
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
    const [before, after] = [expected[name] ?? [], restored[name] ?? []];
    const [lost, added] = [without(before, after), without(after, before)];
    if (lost.length + added.length > 0) found[name] = { lost, added };
  }
  return found;
}

/** The elements of a sorted list that another one lacks; equal elements count one by one. */
function without(list: string[], other: string[]): string[] {
  const counts = new Map<string, number>();
  for (const element of other) counts.set(element, (counts.get(element) ?? 0) + 1);
  return list.filter((element) => {
    const count = counts.get(element) ?? 0;
    counts.set(element, count - 1);
    return count <= 0;
  });
}
