import { backupLock, connect, type Database } from '@profile-service/db';
import { createStorage, type Storage } from '@profile-service/storage';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cleanStorage, cleanStorageOnce } from '@profile-service/operations';
import type { RunContext } from '../../src/jobs/job.ts';
import { storageCleanup } from '../../src/jobs/storage-cleanup.ts';
import { createLog } from '../../src/observability/log.ts';
import { readSettings } from '../../src/settings.ts';
import { eventually, lookInto, upload } from '../support/files.ts';
import { startWorld, type World } from '../support/world.ts';

const orphan = 'attachments/DOCUMENT/01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f.pdf';
const basePath = 'attachments';
const log = createLog('silent');
let world: World;
let look: ReturnType<typeof lookInto>;
let database: Database;
let storage: Storage;
beforeAll(async () => {
  world = await startWorld();
  look = lookInto(world);
  database = connect({ connectionString: world.databaseUrl, max: 2 });
  storage = await createStorage({ settings: readSettings(world.environment) });
});
afterAll(async () => {
  storage.close();
  await database.close();
  await world.stop();
});

const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const clean = (now = new Date(), pages: { pageSize?: number; maxUnknown?: number } = {}) =>
  cleanStorage({ db: database.db, storage, basePath, ...pages, now, secondLookMs: 0 });
const missing = (...ids: string[]) => ({ count: ids.length, ids });
const noChanges = { removed: 0, aborted: 0, missing: { count: 0, ids: [] as string[] } };

describe('a clean-up', () => {
  beforeEach(() => clean(later(120)));

  // Rules: ATTACHMENTS-8
  test('removes objects without a record when they are an hour old', async () => {
    await look.put(orphan);
    expect(await clean(later(55))).toEqual(noChanges);
    expect(await clean(later(65))).toEqual({ ...noChanges, removed: 1 });
    expect(await look.keys()).not.toContain(orphan);
    expect(await clean(later(65))).toEqual(noChanges);
  });

  test('keeps an object whose record appears before the second look', async () => {
    const { body } = await upload(world, world.global);
    const [record] = await world.sql<Record<string, unknown>>('delete from attachments where id = $1 returning *', [body.id]);
    const { body: lost } = await upload(world, world.global, { entityType: 'USER' });
    await look.remove(lost.filePath);
    // Looking for the lost file comes after the first look for records.
    const has = vi.spyOn(storage, 'has').mockImplementationOnce(async () => {
      await world.sql('insert into attachments select * from json_populate_record(null::attachments, $1)', [JSON.stringify(record)]);
      return false;
    });
    expect(await clean(later(120))).toEqual({ ...noChanges, missing: missing(lost.id) });
    expect(has).toHaveBeenCalledOnce();
    has.mockRestore();
    expect(await look.keys()).toContain(body.filePath);
    await world.sql('update attachments set deleted_at = now() where id = $1', [lost.id]);
  });

  test('keeps files with a live record, whatever their age', async () => {
    const { body } = await upload(world, world.global);
    expect(await clean(later(100_000))).toMatchObject({ removed: 0, missing: missing() });
    expect((await world.call(world.global, `GET /api/attachments/${body.id}`)).status).toBe(200);
  });

  test('removes the file of a deleted record at once', async () => {
    const { body } = await upload(world, world.global);
    await world.sql('update attachments set deleted_at = now() where id = $1', [body.id]);
    expect(await clean()).toEqual({ ...noChanges, removed: 1 });
    expect(await look.keys()).not.toContain(body.filePath);
  });

  test.each([
    'attachments/notes.txt',
    'attachments/DOCUMENT/notes.pdf',
    'attachments/a/b/c.pdf',
    'elsewhere/DOCUMENT/x.pdf',
    'attachments-2/x',
  ])('keeps %s, which is not an attachment of the service', async (key) => {
    await look.put(key);
    expect(await clean(later(120))).toEqual(noChanges);
    expect(await look.keys()).toContain(key);
  });

  test('aborts incomplete uploads when they are an hour old', async () => {
    await look.leaveUpload(orphan);
    await look.leaveUpload('elsewhere/x.pdf');
    expect(await clean(later(55))).toEqual(noChanges);
    expect(await clean(later(65))).toEqual({ ...noChanges, aborted: 1 });
    expect(await look.openUploads()).toEqual(['elsewhere/x.pdf']);
  });

  test('reports live records without an object, first, between and last', async () => {
    const ids: string[] = [];
    for (const entityType of ['CUSTOMER', 'DOCUMENT', 'ORGANIZATION', 'USER']) {
      const { body } = await upload(world, world.global, { entityType });
      if (entityType === 'ORGANIZATION') continue;
      ids.push(body.id);
      await look.remove(body.filePath);
    }
    expect(await clean()).toEqual({ ...noChanges, missing: missing(...ids) });
    await world.sql('update attachments set deleted_at = now() where id = any($1::uuid[])', [ids]);
    expect(await clean()).toEqual(noChanges);
  });

  test('removes a limited number of objects without a record per run, and the others in the next', async () => {
    const keys = Array.from({ length: 5 }, (_, index) => `attachments/DOCUMENT/00000000-0000-4000-8000-00000000000${index}.pdf`);
    await Promise.all(keys.map((key) => look.put(key)));
    const pages = { pageSize: 2, maxUnknown: 3 };
    expect(await clean(later(65), pages)).toEqual({ ...noChanges, removed: 3 });
    expect(await look.keys()).toEqual(expect.arrayContaining(keys.slice(3)));
    expect(await clean(later(65), pages)).toEqual({ ...noChanges, removed: 2 });
  });

  test('counts all records without an object, and names the first 100', async () => {
    await world.sql(
      `insert into attachments (id, file_path, original_filename, content_type, size, user_id)
       select gen_random_uuid(), 'attachments/USER/' || number || '.pdf', 'many', 'application/pdf', 5, (select id from users limit 1)
       from generate_series(1, 150) as number`,
    );
    const report = await clean(new Date(), { pageSize: 40 });
    expect([report.missing.count, report.missing.ids.length]).toEqual([150, 100]);
    await world.sql("delete from attachments where original_filename = 'many'");
  });

  test('reads all pages of objects and of records', async () => {
    const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    // Every fifth object has no record.
    const keys = Array.from({ length: 45 }, (_, index) => `attachments/CUSTOMER/${uuid(index)}.pdf`);
    await Promise.all(keys.map((key) => look.put(key)));
    const records = [...keys.filter((_, index) => index % 5 !== 0), ...keys.map((key) => key.replace('CUSTOMER', 'USER'))];
    await world.sql(
      `insert into attachments (id, file_path, original_filename, content_type, size, user_id)
       select gen_random_uuid(), key, 'many', 'application/pdf', 5, (select id from users limit 1) from unnest($1::text[]) as key`,
      [records],
    );
    const report = await clean(later(65), { pageSize: 20 });
    expect(report.removed).toBe(9);
    expect(report.missing.count).toBe(45);
    await world.sql("delete from attachments where original_filename = 'many'");
  });
});

describe('while a backup runs', () => {
  /** Holds the lock of a backup. Returns a function that releases it. */
  async function holdBackupLock(): Promise<() => Promise<void>> {
    const backup = new pg.Client({ connectionString: world.databaseUrl });
    await backup.connect();
    onTestFinished(() => backup.end());
    await backup.query('select pg_advisory_lock($1)', [backupLock]);
    return async () => void (await backup.query('select pg_advisory_unlock($1)', [backupLock]));
  }

  // Rules: ATTACHMENTS-18
  test('a deletion leaves the file to the clean-up, which waits for the end of the backup', async () => {
    const { body } = await upload(world, world.global);
    const release = await holdBackupLock();
    expect((await world.call(world.global, `DELETE /api/attachments/${body.id}`)).status).toBe(204);
    expect((await world.call(world.global, `GET /api/attachments/${body.id}`)).status).toBe(404);
    const paused = Promise.withResolvers<void>();
    const cleaning = cleanStorage({ db: database.db, storage, basePath, onPause: paused.resolve });
    await paused.promise;
    expect(await look.keys()).toContain(body.filePath);
    await release();
    expect((await cleaning).removed).toBe(1);
    expect(await look.keys()).not.toContain(body.filePath);
  });

  test('a waiting clean-up is aborted when the service stops', async () => {
    await look.put(orphan);
    await holdBackupLock();
    const stopping = new AbortController();
    const cleaning = cleanStorage({
      db: database.db,
      storage,
      basePath,
      now: later(65),
      secondLookMs: 0,
      signal: stopping.signal,
      onPause: () => stopping.abort(),
    });
    await expect(cleaning).rejects.toThrow(/abort/);
    expect(await look.keys()).toContain(orphan);
  });

  test('a deletion removes the file at once when the backup has ended', async () => {
    await (
      await holdBackupLock()
    )();
    const { body } = await upload(world, world.global);
    expect((await world.call(world.global, `DELETE /api/attachments/${body.id}`)).status).toBe(204);
    expect(await look.keys()).not.toContain(body.filePath);
  });
});

describe('clean-ups', () => {
  test('run one at a time across instances', async () => {
    await look.put(orphan);
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

  test('start 5 minutes after the first deployment, then every hour', () => {
    expect(storageCleanup.repeat).toEqual({ firstAfterSeconds: 5 * 60, everySeconds: 60 * 60 });
  });

  test('are queued once, however many instances start', async () => {
    const waiting = () =>
      world.sql(`select extract(epoch from start_after - created_on)::int as seconds from pgboss.job where name = 'storage-cleanup'`);
    await eventually(waiting).toEqual([{ seconds: 5 * 60 }]);
    const another = await world.another();
    await another.stop();
    expect(await waiting()).toEqual([{ seconds: 5 * 60 }]);
  });

  test('are aborted when the service stops', async () => {
    await look.put(orphan);
    const context = { database, storage, basePath, log, signal: AbortSignal.abort() } as RunContext;
    await expect(storageCleanup.run({}, context)).rejects.toThrow(/abort/);
    expect(await look.keys()).toContain(orphan);
  });
});
