import type { UserCaller } from '@profile-service/auth';
import { contract, type Endpoint, ImportResult, type ImportTypeName, importTypes, ProblemError } from '@profile-service/contracts';
import { cancelImport, getImport, insertImport, listImportResults, listImports, newId, type ScopedDatabase } from '@profile-service/db';
import { openRecordFile, recordWriter, templateOf } from '@profile-service/record-files';
import { z } from 'zod';
import { storedClaims } from '../imports/claims.ts';
import { formatOf, readOptionsOf } from '../imports/import-files.ts';
import { writeResults, writeResultsWithRows } from '../imports/write-results.ts';
import { read, sendFile, upload, write } from '../request/handler.ts';
import { listCursor } from '../request/list-cursor.ts';
import { implement } from '../request/router.ts';
import { authorizeCaller } from '../request/steps/admit.ts';

const notFound = () => new ProblemError('IMPORT_NOT_FOUND');

const cursors = listCursor(z.object({ id: z.guid() }));

/** Throws NOT_ALLOWED unless the caller may call the POST of the rows. */
async function assertMayCreate({ caller, input: { type } }: { caller: UserCaller; input: { type: ImportTypeName } }): Promise<void> {
  authorizeCaller(importTypes[type].create, caller);
}

const find = ({ input: { id }, scoped }: { input: { id: string }; scoped: ScopedDatabase }) => scoped.first(getImport, { id }, notFound);

/** The example of a schema, for a template. */
const exampleOf = (schema: z.ZodObject): Record<string, unknown> => {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => [name, field.meta()?.['example']]);
  return (schema.meta()?.['example'] as Record<string, unknown> | undefined) ?? (Object.fromEntries(fields) as Record<string, unknown>);
};

const comma = { delimiter: ',', bom: false };

export const imports = implement(contract.imports, {
  create: upload({
    receive: (file, { importFiles }) => importFiles.receive(file),
    check: assertMayCreate,
    async run({ input: { type, mode, dryRun, delimiter = null, file, format }, caller, transaction }) {
      const filePath = await file.place('');
      const fileName = file.filename.slice(0, 255);
      const fields = { type, mode, delimiter, fileName, filePath, dryRun: dryRun === 'true', format: formatOf(file.filename, format) };
      file.keep();
      return transaction(({ scoped }) =>
        scoped.one(insertImport, { ...fields, id: newId(), createdBy: caller.userId, claims: storedClaims(caller.claims) }),
      );
    },
  }),

  list: read(async ({ input: { limit, cursor, ...filters }, scoped }) => {
    const before = cursor === undefined ? undefined : cursors.decode(cursor, filters).id;
    const rows = await scoped.all(listImports, { ...filters, before, limit: limit + 1 });
    const data = rows.slice(0, limit);
    const last = rows.length > limit ? data.at(-1) : undefined;
    return { data, nextCursor: last ? cursors.encode({ id: last.id }, filters) : null };
  }),

  template: sendFile(
    async () => undefined,
    async ({ input: { type, format } }) => {
      const { create, row }: { create: Endpoint; row: z.ZodObject } = importTypes[type];
      const example = { ...exampleOf(z.object(create.params)), ...exampleOf(create.body ?? z.object({})) };
      const head = templateOf(row, example, { format, ...comma });
      return { name: `import-template-${type}`, head, parts: (async function* () {})() };
    },
  ),

  get: read(find),

  results: sendFile(find, async ({ input: { id, status, format }, snapshot, importFiles }, found) => {
    const parts = snapshot(listImportResults, { id, status });
    const name = 'import-results';
    if (format === 'ndjson') {
      const { head, lines } = recordWriter(ImportResult, { format, ...comma });
      return { name, head, parts: writeResults(parts, lines) };
    }
    const file = await openRecordFile(await importFiles.open(found.filePath), readOptionsOf(found));
    return { name, ...writeResultsWithRows(parts, file) };
  }),

  cancel: write(async ({ input: { id }, scoped }) => {
    await find({ input: { id }, scoped });
    return scoped.first(cancelImport, { id }, () => new ProblemError('IMPORT_NOT_RUNNING'));
  }),
});
