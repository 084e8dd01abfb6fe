import { CreateMultipartUploadCommand, DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { connect, type Database, withoutScopedTables } from '@profile-service/db';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cleanStorage } from '../../src/jobs/storage-cleanup/compare.ts';
import { cleanStorageOnce, startStorageCleanup } from '../../src/jobs/storage-cleanup/storage-cleanup.ts';
import { createStorage, type Storage } from '../../src/integrations/storage/storage.ts';
import { createLog } from '../../src/observability/log.ts';
import { readSettings } from '../../src/settings.ts';
import { eventually, lookInto, upload } from '../support/files.ts';
import { startWorld, type World } from '../support/world.ts';

const forgotten = 'attachments/DOCUMENT/01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f.pdf';
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
  storage = createStorage({ settings: readSettings(world.environment) });
});
afterAll(async () => {
  storage.close();
  await database.close();
  await world.stop();
});

const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const clean = (now = new Date(), pageSize = 1000) =>
  cleanStorage({ db: withoutScopedTables(database.db), storage, basePath, pageSize, now });
const put = (Key: string) => look.client.send(new PutObjectCommand({ Bucket: look.Bucket, Key, Body: '%PDF-' }));
const nothingDone = { removed: 0, aborted: 0, missing: [] };

describe('a round', () => {
  beforeEach(() => clean(later(120)));

  // Rules: ATTACHMENTS-8
  test('removes objects without a record once they are an hour old', async () => {
    await put(forgotten);
    expect(await clean(later(55))).toEqual(nothingDone);
    expect(await clean(later(65))).toEqual({ ...nothingDone, removed: 1 });
    expect(await look.keys()).not.toContain(forgotten);
    expect(await clean(later(65))).toEqual(nothingDone);
  });

  test('leaves files with a live record, whatever their age', async () => {
    const { body } = await upload(world, world.global);
    expect(await clean(later(100_000))).toMatchObject({ removed: 0, missing: [] });
    expect((await world.call(world.global, `GET /api/attachments/${body.id}`)).status).toBe(200);
  });

  test('removes the file of a deleted record at once', async () => {
    const { body } = await upload(world, world.global);
    await world.sql('update attachments set deleted_at = now() where id = $1', [body.id]);
    expect(await clean()).toEqual({ ...nothingDone, removed: 1 });
    expect(await look.keys()).not.toContain(body.filePath);
  });

  test.each([
    'attachments/notes.txt',
    'attachments/DOCUMENT/notes.pdf',
    'attachments/a/b/c.pdf',
    'elsewhere/DOCUMENT/x.pdf',
    'attachments-2/x',
  ])('leaves %s, which is none of its files', async (key) => {
    await put(key);
    expect(await clean(later(120))).toEqual(nothingDone);
    expect(await look.keys()).toContain(key);
  });

  test('gives up uploads that a crash left open, once they are an hour old', async () => {
    const begin = (Key: string) => look.client.send(new CreateMultipartUploadCommand({ Bucket: look.Bucket, Key }));
    await begin(forgotten);
    await begin('elsewhere/x.pdf');
    expect(await clean(later(55))).toEqual(nothingDone);
    expect(await clean(later(65))).toEqual({ ...nothingDone, aborted: 1 });
    expect(await look.openUploads()).toEqual(['elsewhere/x.pdf']);
  });

  test('reports live records without an object, before, between and behind the others', async () => {
    const ids: string[] = [];
    for (const entityType of ['CUSTOMER', 'DOCUMENT', 'ORGANIZATION', 'USER']) {
      const { body } = await upload(world, world.global, { entityType });
      if (entityType === 'ORGANIZATION') continue;
      ids.push(body.id);
      await look.client.send(new DeleteObjectCommand({ Bucket: look.Bucket, Key: body.filePath }));
    }
    expect(await clean()).toEqual({ ...nothingDone, missing: ids });
    await world.sql('update attachments set deleted_at = now() where id = any($1::uuid[])', [ids]);
    expect(await clean()).toEqual(nothingDone);
  });

  test('goes through more than a page of objects, and of records without', async () => {
    const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    // Every fifth object is without a record.
    const keys = Array.from({ length: 45 }, (_, index) => `attachments/CUSTOMER/${uuid(index)}.pdf`);
    await Promise.all(keys.map(put));
    const records = [...keys.filter((_, index) => index % 5 !== 0), ...keys.map((key) => key.replace('CUSTOMER', 'USER'))];
    await world.sql(
      `insert into attachments (id, file_path, original_filename, content_type, size, user_id)
       select gen_random_uuid(), key, 'many', 'application/pdf', 5, (select id from users limit 1) from unnest($1::text[]) as key`,
      [records],
    );
    const report = await clean(later(65), 20);
    expect(report.removed).toBe(9);
    expect(report.missing).toHaveLength(45);
    await world.sql("delete from attachments where original_filename = 'many'");
  });
});

describe('rounds', () => {
  test('are one at a time: not while another instance is at it', async () => {
    await put(forgotten);
    const other = await database.pool.connect();
    await other.query('select pg_advisory_lock(7316204118)');
    expect(await cleanStorageOnce({ database, storage, basePath, log })).toBeNull();
    await other.query('select pg_advisory_unlock_all()');
    other.release();
    expect(await cleanStorageOnce({ database, storage, basePath, log })).toEqual({ ...nothingDone, missing: expect.any(Array) });
    const locks = await world.sql(
      "select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    );
    expect(locks).toEqual([]);
  });

  test('come again and again, also after one that failed, until they are stopped', async () => {
    let fails = true;
    let rounds = 0;
    const flaky: Storage = {
      ...storage,
      list(prefix, pageSize) {
        rounds += 1;
        if (!fails) return storage.list(prefix, pageSize);
        fails = false;
        throw new Error('away');
      },
    };
    let reports = 0;
    // Where there is nothing to clean a round is short.
    const options = { database, storage: flaky, basePath: 'nothing', log, onReport: () => (reports += 1) };
    const janitor = startStorageCleanup(options, 1, 5);
    await eventually(() => reports).toBeGreaterThanOrEqual(2);
    await janitor.stop();
    const then = rounds;
    expect(rounds).toBeGreaterThan(reports);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(rounds).toBe(then);
  });
});
