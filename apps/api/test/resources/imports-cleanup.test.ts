import { connect } from '@profile-service/db';
import { createStorage } from '@profile-service/storage';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createImportFiles } from '../../src/imports/import-files.ts';
import { importCleanup } from '../../src/jobs/import-cleanup.ts';
import type { RunContext } from '../../src/jobs/job.ts';
import { readSettings } from '../../src/settings.ts';
import { csvOf, organizationRow } from '../support/import-rows.ts';
import { runImport } from '../support/imports.ts';
import { useWorldWithMap } from '../support/organizations.ts';
import { useMember, useTenant } from '../support/use-people.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

/** Runs the job as if the files were older. */
async function cleanUp(afterMinutes = 0): Promise<void> {
  const database = connect({ connectionString: world.databaseUrl, max: 1 });
  const settings = readSettings(world.environment);
  const storage = await createStorage({ settings });
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + afterMinutes * 60_000);
  const importFiles = createImportFiles(storage, settings.STORAGE_BASE_PATH, 1);
  try {
    await importCleanup.run({}, { database, importFiles, signal: new AbortController().signal } as RunContext);
  } finally {
    now.mockRestore();
    storage.close();
    await database.close();
  }
}
const files = async () => (await world.storedFiles.keys()).filter((key) => key.includes('/imports/'));
const endedAgo = (id: string, time: string) => world.sql('update imports set finished_at = now() - $2::interval where id = $1', [id, time]);

// Rules: IMPORTS-22
test('the job import-cleanup deletes imports that ended seven days ago with file and results, and keeps the records and the others', async () => {
  const run = (fields: Record<string, string> = {}) => runImport(world, admin, { type: 'organizations', ...fields }, csvOf([row, row]));
  const row = organizationRow(world.newTaxId());
  const [old, recent, dry] = [await run(), await run(), await run({ dryRun: 'true' })];
  await world.sql("update imports set created_at = now() - interval '30 days'");
  await endedAgo(old.done.id, '7 days 1 minute');
  await endedAgo(dry.done.id, '8 days');
  await endedAgo(recent.done.id, '6 days 23 hours');
  expect(await files()).toHaveLength(3);
  await cleanUp();
  expect(await files()).toHaveLength(1);
  for (const path of ['', '/results']) {
    const status = async (id: string) => (await world.call(admin, `GET /api/imports/${id}${path}`)).status;
    expect(await Promise.all([old, dry, recent].map(({ done }) => status(done.id)))).toEqual([404, 404, 200]);
  }
  expect(await world.sql('select distinct import_id as id from import_results')).toEqual([{ id: recent.done.id }]);
  expect(await world.sql('select from import_dry_run_records')).toEqual([]);
  expect((await world.call(admin, `GET /api/organizations/${old.results[0]?.id}`)).status).toBe(200);
});

// Rules: IMPORTS-22
test('the job deletes files without an import an hour after their upload, and no others', async () => {
  const { done } = await runImport(world, admin, { type: 'organizations' }, csvOf([organizationRow(world.newTaxId())]));
  const [kept] = await world.sql<{ key: string }>('select file_path as key from imports where id = $1', [done.id]);
  const orphan = `${world.environment['STORAGE_BASE_PATH'] ?? 'attachments'}/imports/01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f`;
  const attachment = orphan.replace('/imports/', '/DOCUMENT/');
  for (const key of [orphan, attachment]) await world.storedFiles.put(key);
  onTestFinished(() => world.storedFiles.remove(attachment));
  await cleanUp(55);
  expect(await files()).toContain(orphan);
  await cleanUp(65);
  expect(await files()).not.toContain(orphan);
  expect(await world.storedFiles.keys()).toEqual(expect.arrayContaining([kept?.key, attachment]));
});
