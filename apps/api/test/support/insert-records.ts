import type { Sql } from './test-world.ts';

/** The name of a table or column. */
export const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Inserts records with the same fields, without one of them. Columns without a field get their default. */
export async function insertRecords(sql: Sql, table: string, records: Iterable<object>, except = ''): Promise<void> {
  const rows = [...records].map((record) =>
    Object.fromEntries(Object.entries(record).flatMap(([name, value]) => (name === except ? [] : [[snake(name), value as unknown]]))),
  );
  if (!rows[0]) return;
  const columns = Object.keys(rows[0]).join(', ');
  await sql(`insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [
    JSON.stringify(rows),
  ]);
}
