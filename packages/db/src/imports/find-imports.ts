import { sql } from 'kysely';
import { scopedStatement } from '../queries/statement.ts';
import type { DB } from '../schema.gen.ts';
import type { Row } from '../scope/unscoped-tables.ts';
import { now } from '../sql/now.ts';
import { columns, ifGiven, type Placeholders } from '../sql/placeholders.ts';

/** The columns that the API shows. */
const shown = [
  'id',
  'type',
  'mode',
  'dryRun',
  'fileName',
  'status',
  'code',
  'message',
  'rows',
  'processed',
  'created',
  'updated',
  'unchanged',
  'failed',
  'createdBy',
  'tenantId',
  'createdAt',
  'startedAt',
  'finishedAt',
] as const satisfies (keyof DB['imports'])[];

export type ImportRow = Row<'imports'>;
export type NewImport = Pick<
  ImportRow,
  'id' | 'type' | 'format' | 'delimiter' | 'mode' | 'dryRun' | 'fileName' | 'filePath' | 'createdBy'
> & {
  claims: Record<string, unknown>;
};

export const insertImport = scopedStatement((scoped, p: Placeholders<NewImport>) =>
  scoped
    .insertImport(columns(p, 'id', 'type', 'format', 'delimiter', 'mode', 'dryRun', 'fileName', 'filePath', 'createdBy', 'claims'))
    .returning([...shown]),
);

export interface ImportQuery {
  type?: ImportRow['type'] | undefined;
  status?: ImportRow['status'] | undefined;
  /** Only imports before this one. */
  before?: string | undefined;
  limit: number;
}

/** Lists imports, newest first. */
export const listImports = scopedStatement((scoped, p: Placeholders<ImportQuery>) =>
  scoped
    .imports()
    .select(shown.map((column) => `imports.${column}` as const))
    .where(({ and, eb }) =>
      and([
        ifGiven(p.type, (type) => eb('imports.type', '=', type)),
        ifGiven(p.status, (status) => eb('imports.status', '=', status)),
        ifGiven(p.before, (before) => eb('imports.id', '<', before)),
      ]),
    )
    .orderBy('imports.id', 'desc')
    .limit(sql<number>`${p.limit}`),
);

/** Returns an import, with what its results need. */
export const getImport = scopedStatement((scoped, p: Placeholders<{ id: string }>) =>
  scoped
    .imports()
    .select([...shown.map((column) => `imports.${column}` as const), 'imports.format', 'imports.delimiter', 'imports.filePath'])
    .where('imports.id', '=', p.id),
);

/** Cancels an import. No row if it has ended. */
export const cancelImport = scopedStatement((scoped, p: Placeholders<{ id: string }>) =>
  scoped
    .updateTable('imports')
    .set({ status: 'CANCELLED', finishedAt: now })
    .where('imports.id', '=', p.id)
    .where('imports.finishedAt', 'is', null)
    .returning([...shown]),
);

/** What became of a row. */
export type ImportResultRow = Omit<Row<'importResults'>, 'importId'>;

/** Selects the results of an import, in the order of the rows. */
export const listImportResults = scopedStatement(
  (scoped, p: Placeholders<{ id: string; status?: ImportResultRow['status'] | undefined }>) =>
    scoped
      .imports()
      .innerJoin('importResults', 'importResults.importId', 'imports.id')
      .select(['importResults.row', 'importResults.status', 'importResults.recordId', 'importResults.code', 'importResults.errors'])
      .where('imports.id', '=', p.id)
      .where(({ eb }) => ifGiven(p.status, (status) => eb('importResults.status', '=', status)))
      .orderBy('importResults.row'),
);
