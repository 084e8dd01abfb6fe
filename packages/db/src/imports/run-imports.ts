import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { unscopedStatement } from '../queries/statement.ts';
import type { Placeholders } from '../sql/placeholders.ts';
import type { ImportRow } from './find-imports.ts';

/** Lists the imports that can run now: of each tenant the oldest one that has not ended. */
export async function listRunnableImports({ db }: Database): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .selectAll()
    .distinctOn(sql`coalesce(tenant_id, '00000000-0000-0000-0000-000000000000')`)
    .where('finishedAt', 'is', null)
    .orderBy(sql`coalesce(tenant_id, '00000000-0000-0000-0000-000000000000')`)
    .orderBy('id')
    .execute();
}

/** Begins an import, or stores the number of its rows. Returns false if it has ended. */
export async function startImport({ db }: Database, id: string, rows: number | null): Promise<boolean> {
  const found = await db
    .updateTable('imports')
    .set({ status: 'RUNNING', startedAt: sql`coalesce(started_at, now())`, ...(rows === null ? {} : { rows }) })
    .where('id', '=', id)
    .where('finishedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return found !== undefined;
}

/** Ends an import, unless it has ended. */
export async function finishImport(
  { db }: Database,
  id: string,
  end: { status: 'COMPLETED' | 'FAILED'; code: string | null; message: string | null },
): Promise<void> {
  await db
    .updateTable('imports')
    .set({ ...end, finishedAt: sql`now()` })
    .where('id', '=', id)
    .where('finishedAt', 'is', null)
    .execute();
}

/** What became of a row. */
export interface ImportRowResult {
  row: number;
  status: 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'FAILED';
  id: string | null;
  code: string | null;
  errors: readonly { path: string; message: string }[];
}

/** Stores the results of the next rows. `saved` is false if the import has ended, or if another process has done these rows: then roll back. */
export const saveImportResults = unscopedStatement(
  'runs an import',
  (db, p: Placeholders<{ id: string; before: number; results: string }>) =>
    db.selectNoFrom(sql<boolean>`save_import_results(${p.id}, ${p.before}, ${p.results})`.as('saved')),
);

/** What an earlier row of a dry run would have stored. */
export interface DryRunRecord {
  row: number;
  input: Record<string, unknown>;
}

/** Returns what earlier rows of a dry run would have stored with one of these keys, in the order of the rows. */
export const findDryRunRecords = unscopedStatement(
  'runs an import',
  (db, p: Placeholders<{ id: string; keys: string[]; before: number }>) =>
    db
      .selectFrom('importDryRunRecords')
      .select(['row', 'input'])
      .distinct()
      .where('importId', '=', p.id)
      .where('row', '<=', p.before)
      .where(({ eb }) => eb('key', '=', eb.fn.any(sql<string[]>`${p.keys}::text[]`)))
      .orderBy('row')
      .$castTo<DryRunRecord>(),
);

/** Remembers what a row of a dry run would have stored. A later change of the same record is merged into it. */
export const saveDryRunRecord = unscopedStatement(
  'runs an import',
  (db, p: Placeholders<{ id: string; key: string; row: number; input: string }>) =>
    db
      .insertInto('importDryRunRecords')
      .values({ importId: p.id, key: p.key, row: p.row, input: sql`${p.input}::jsonb` })
      .onConflict((conflict) =>
        conflict.columns(['importId', 'key']).doUpdateSet({ input: sql`import_dry_run_records.input || excluded.input` }),
      ),
);

/** Most rows that one statement deletes. */
const rowsAtOnce = 10_000;

/** Deletes the imports that ended before the time, with their results. @returns the keys of their files @param remove deletes a file */
export async function deleteOldImports(
  { db }: Database,
  days: number,
  remove: (filePath: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const old = await db
    .selectFrom('imports')
    .select(['id', 'filePath'])
    .where('finishedAt', '<', sql<string>`now() - make_interval(days => ${days})`)
    .execute();
  for (const { id, filePath } of old) {
    await remove(filePath);
    for (;;) {
      signal.throwIfAborted();
      const rows = db.selectFrom('importResults').select('row').where('importId', '=', id).limit(rowsAtOnce);
      const { numDeletedRows } = await db
        .deleteFrom('importResults')
        .where('importId', '=', id)
        .where('row', 'in', rows)
        .executeTakeFirstOrThrow();
      if (numDeletedRows < rowsAtOnce) break;
    }
    await db.deleteFrom('imports').where('id', '=', id).execute();
  }
}

/** Returns those of the keys that no import has. */
export async function findUnknownImportFiles({ db }: Database, keys: readonly string[]): Promise<string[]> {
  const known = await db.selectFrom('imports').select('filePath').where('filePath', 'in', keys).execute();
  const paths = new Set(known.map(({ filePath }) => filePath));
  return keys.filter((key) => !paths.has(key));
}
