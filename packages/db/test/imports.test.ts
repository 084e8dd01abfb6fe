import { describe, expect, test } from 'vitest';
import { cancelImport, finishImport, insertImport, newId, saveImportResults, scoped, startImport, unscoped } from '../src/index.ts';
import { useDatabase } from './use-database.ts';

const { database, make } = await useDatabase();
const createdBy = await make.user();
const imports = scoped(database.executor, { kind: 'all' });

const file = { format: 'csv', delimiter: null, dryRun: false, fileName: 'a.csv', filePath: 'imports/a', claims: {}, createdBy } as const;

/** A running import of which one row is done. */
async function runningImport(): Promise<string> {
  const { id } = await imports.one(insertImport, { ...file, id: newId(), type: 'customers', mode: 'create' });
  await startImport(database, id, 3);
  expect(await save(id, 0)).toBe(true);
  return id;
}
const save = async (id: string, before: number) => {
  const results = JSON.stringify([{ row: before + 1, status: 'FAILED', id: null, code: 'VALIDATION_FAILED', errors: [] }]);
  return (await unscoped(database.executor).one(saveImportResults, { id, before, results })).saved;
};

describe('the results of rows are stored', () => {
  // Rules: IMPORTS-20
  test('only after those before them, and once', async () => {
    const id = await runningImport();
    expect([await save(id, 0), await save(id, 2), await save(id, 1), await save(id, 1)]).toEqual([false, false, true, false]);
    const [stored] = await database.db.selectFrom('imports').select(['processed', 'failed']).where('id', '=', id).execute();
    expect(stored).toEqual({ processed: 2, failed: 2 });
  });

  // Rules: IMPORTS-19
  test.each([
    ['cancelled', (id: string) => imports.first(cancelImport, { id })],
    ['completed', (id: string) => finishImport(database, id, { status: 'COMPLETED', code: null, message: null })],
  ])('not after the import was %s', async (_, end) => {
    const id = await runningImport();
    await end(id);
    expect([await save(id, 1), await startImport(database, id, null)]).toEqual([false, false]);
  });
});
