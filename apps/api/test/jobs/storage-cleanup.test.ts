import { backupLock, connect, type Database } from '@profile-service/db';
import { createStorage, type Storage } from '@profile-service/storage';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cleanStorage, cleanStorageOnce } from '@profile-service/operations';
import type { RunContext } from '../../src/jobs/job.ts';
import { storageCleanup } from '../../src/jobs/storage-cleanup.ts';
import { createLog } from '../../src/observability/log.ts';
import { readSettings } from '../../src/settings.ts';
import { upload } from '../support/files.ts';
import { useWorld } from '../support/world.ts';

const orphan = 'attachments/DOCUMENT/01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f.pdf';
const basePath = 'attachments';
const log = createLog('silent');
const world = useWorld();
let database: Database;
let storage: Storage;
beforeAll(async () => {
  database = connect({ connectionString: world.databaseUrl, max: 2 });
  storage = await createStorage({ settings: readSettings(world.environment) });
});
afterAll(async () => {
  storage.close();
  await database.close();
});

const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const clean = (now = new Date(), pages: { pageSize?: number; maxUnknown?: number } = {}) =>
  cleanStorage({ db: database.db, storage, basePath, ...pages, now, secondLookMs: 0 });
const missing = (...ids: string[]) => ({ count: ids.length, ids });
const noChanges = { removed: 0, aborted: 0, missing: { count: 0, ids: [] as string[] } };

describe('a clean-up', () => {
  beforeEach(() => clean(later(120)));

  // Rules: ATTACHMENTS-8
  test('removes files of deleted records at once, and after an hour objects without a record and incomplete uploads', async () => {
    const { body: live } = await upload(world, world.global);
    const { body: deleted } = await upload(world, world.global);
    await world.sql('update attachments set deleted_at = now() where id = $1', [deleted.id]);
    const ofOthers = ['attachments/notes.txt', 'attachments/DOCUMENT/notes.pdf', 'attachments/a/b/c.pdf', 'elsewhere/DOCUMENT/x.pdf'];
    for (const key of [orphan, 'attachments-2/x', ...ofOthers]) await world.storedFiles.put(key);
    for (const key of [orphan, 'elsewhere/x.pdf']) await world.storedFiles.leaveUpload(key);
    expect(await clean()).toEqual({ ...noChanges, removed: 1 });
    expect(await clean(later(55))).toEqual(noChanges);
    expect(await clean(later(65))).toEqual({ ...noChanges, removed: 1, aborted: 1 });
    expect(await clean(later(100_000))).toEqual(noChanges);
    const keys = await world.storedFiles.keys();
    expect(keys).toEqual(expect.arrayContaining([live.filePath, 'attachments-2/x', ...ofOthers]));
    expect(keys).not.toEqual(expect.arrayContaining([orphan]));
    expect(keys).not.toEqual(expect.arrayContaining([deleted.filePath]));
    expect(await world.storedFiles.openUploads()).toEqual(['elsewhere/x.pdf']);
  });

  test('keeps an object whose record appears before the second look', async () => {
    const { body } = await upload(world, world.global);
    const [record] = await world.sql<Record<string, unknown>>('delete from attachments where id = $1 returning *', [body.id]);
    const { body: lost } = await upload(world, world.global, { entityType: 'USER' });
    await world.storedFiles.remove(lost.filePath);
    // Looking for the lost file comes after the first look for records.
    const has = vi.spyOn(storage, 'has').mockImplementationOnce(async () => {
      await world.sql('insert into attachments select * from json_populate_record(null::attachments, $1)', [JSON.stringify(record)]);
      return false;
    });
    expect(await clean(later(120))).toEqual({ ...noChanges, missing: missing(lost.id) });
    expect(has).toHaveBeenCalledOnce();
    has.mockRestore();
    expect(await world.storedFiles.keys()).toContain(body.filePath);
    await world.sql('update attachments set deleted_at = now() where id = $1', [lost.id]);
  });

  test('reports live records without an object, first, between and last', async () => {
    const ids: string[] = [];
    for (const entityType of ['CUSTOMER', 'DOCUMENT', 'ORGANIZATION', 'USER']) {
      const { body } = await upload(world, world.global, { entityType });
      if (entityType === 'ORGANIZATION') continue;
      ids.push(body.id);
      await world.storedFiles.remove(body.filePath);
    }
    expect(await clean()).toEqual({ ...noChanges, missing: missing(...ids) });
    await world.sql('update attachments set deleted_at = now() where id = any($1::uuid[])', [ids]);
    expect(await clean()).toEqual(noChanges);
  });

  test('reads all pages of objects and of records, removes a limited number of objects per run, and names the first 100 missing objects', async () => {
    const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    // Every fifth object has no record.
    const keys = Array.from({ length: 45 }, (_, index) => `attachments/CUSTOMER/${uuid(index)}.pdf`);
    await Promise.all(keys.map((key) => world.storedFiles.put(key)));
    const lost = Array.from({ length: 150 }, (_, index) => `attachments/USER/${uuid(index)}.pdf`);
    await world.sql(
      `insert into attachments (id, file_path, original_filename, content_type, size, user_id)
       select gen_random_uuid(), key, 'many', 'application/pdf', 5, (select id from users limit 1) from unnest($1::text[]) as key`,
      [[...keys.filter((_, index) => index % 5 !== 0), ...lost]],
    );
    for (const removed of [5, 4]) {
      const report = await clean(later(65), { pageSize: 20, maxUnknown: 5 });
      expect([report.removed, report.missing.count, report.missing.ids.length]).toEqual([removed, 150, 100]);
    }
    await world.sql("delete from attachments where original_filename = 'many'");
  });
});

// Rules: ATTACHMENTS-18
test('while a backup runs, a deletion leaves the file to the clean-up, which waits for the end of the backup', async () => {
  const { body } = await upload(world, world.global);
  const backup = new pg.Client({ connectionString: world.databaseUrl });
  await backup.connect();
  onTestFinished(() => backup.end());
  await backup.query('select pg_advisory_lock($1)', [backupLock]);
  expect((await world.call(world.global, `DELETE /api/attachments/${body.id}`)).status).toBe(204);
  expect((await world.call(world.global, `GET /api/attachments/${body.id}`)).status).toBe(404);
  const paused = Promise.withResolvers<void>();
  const cleaning = cleanStorage({ db: database.db, storage, basePath, onPause: paused.resolve });
  await paused.promise;
  expect(await world.storedFiles.keys()).toContain(body.filePath);
  await backup.query('select pg_advisory_unlock($1)', [backupLock]);
  expect((await cleaning).removed).toBe(1);
  expect(await world.storedFiles.keys()).not.toContain(body.filePath);
  const { body: next } = await upload(world, world.global);
  expect((await world.call(world.global, `DELETE /api/attachments/${next.id}`)).status).toBe(204);
  expect(await world.storedFiles.keys()).not.toContain(next.filePath);
});

describe('clean-ups', () => {
  test('run one at a time across instances', async () => {
    await world.storedFiles.put(orphan);
    const other = await database.pool.connect();
    await other.query('select pg_advisory_lock(7316204118)');
    expect(await cleanStorageOnce({ database, storage, basePath, log })).toBeNull();
    await other.query('select pg_advisory_unlock_all()');
    other.release();
    expect(await cleanStorageOnce({ database, storage, basePath, log })).toEqual({ ...noChanges, missing: expect.anything() });
    const locks = await world.sql(
      "select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    );
    expect(locks).toEqual([]);
  });

  test('are aborted when the service stops', async () => {
    await world.storedFiles.put(orphan);
    const context = { database, storage, basePath, log, signal: AbortSignal.abort() } as RunContext;
    await expect(storageCleanup.run({}, context)).rejects.toThrow(/abort/);
    expect(await world.storedFiles.keys()).toContain(orphan);
  });
});
