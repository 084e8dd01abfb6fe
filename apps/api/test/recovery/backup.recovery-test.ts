import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '@profile-service/db';
import { cleanStorage } from '@profile-service/operations';
import { createStorage } from '@profile-service/storage';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase } from '../../../../test/database.ts';
import { readSettings } from '../../src/settings.ts';
import { createApi } from '../support/api.ts';
import { content, type FileType, upload } from '../support/files.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { storedFiles } from '../../../../test/storage/stored-files.ts';
import { command, holdBackup, openSession, temporaryFolder } from './commands.ts';
import { differences, readDatabase, readRows } from './rows.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
const member = useMember(world, tenant, 'tenant-admin');
/** Hash of each file that was uploaded, by the id of its attachment. */
const uploaded = new Map<string, string>();
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function uploadFile(bytes = 1_000, type: FileType = 'application/pdf'): Promise<{ id: string; filePath: string }> {
  const file = content(type, bytes);
  const { status, body } = await upload(world, member, {}, new File([file], 'file', { type }));
  if (status !== 201) throw new Error(`The upload is ${status}`);
  uploaded.set(body.id, hashOf(file));
  return body;
}

const remove = (id: string) => world.call(member, `DELETE /api/attachments/${id}`);

/** Waits until the backup has exported its snapshot, and imports it: this transaction sees what the backup has to contain. */
async function importSnapshot(): Promise<pg.Client> {
  for (;;) {
    const [found] = await world.sql<{ name: string }>("select name from pg_ls_dir('pg_snapshots') as name");
    const begin = 'begin isolation level repeatable read; set transaction snapshot';
    if (found) return openSession(world.databaseUrl, `${begin} '${found.name}'`);
    await pause(20);
  }
}

/** Writes through the API until `stop`. Counts the writes. */
function keepWriting() {
  const progress = { writes: 0 };
  let isStopped = false;
  const loop = async () => {
    for (let round = 0; !isStopped; round += 1) {
      const { id } = await uploadFile();
      await organizationOf(world, tenant, { name: `Written meanwhile ${round}` });
      expect((await world.call(world.global, `PUT /api/tenants/${tenant.id}`, { name: `Tenant ${round}` })).status).toBe(200);
      if (round % 2 === 1) await remove(id);
      progress.writes += 1;
    }
  };
  const loops = [loop(), loop()];
  const more = async (count: number) => {
    const target = progress.writes + count;
    await expect.poll(() => progress.writes).toBeGreaterThanOrEqual(target);
  };
  const stop = async () => {
    isStopped = true;
    await Promise.all(loops);
  };
  onTestFinished(stop);
  return { more, stop };
}

test('a backup during writes and deletions has the database and the files of one point in time, and is restored into an empty place', async () => {
  const folder = join(await temporaryFolder(), 'backup');
  const kept = await uploadFile();
  await uploadFile(5_500_000, 'image/png');
  const victims = [await uploadFile(), await uploadFile(200_000)];
  const deletedBefore = await uploadFile();
  await remove(deletedBefore.id);
  const writing = keepWriting();
  await writing.more(3);

  const holder = await holdBackup(world.databaseUrl);
  const backup = command('backup', world.environment, folder);
  const observer = await importSnapshot();

  // Deletions go on. Neither they nor the clean-up remove the files.
  for (const { id } of victims) await remove(id);
  const database = connect({ connectionString: world.databaseUrl, max: 2 });
  onTestFinished(() => database.close());
  const storage = await createStorage({ settings: readSettings(world.environment) });
  const paused = Promise.withResolvers<void>();
  const cleanUp = cleanStorage({ db: database.db, storage, basePath: 'attachments', onPause: paused.resolve });
  await paused.promise;
  await writing.more(3);
  expect(await world.storedFiles.keys()).toEqual(expect.arrayContaining(victims.map(({ filePath }) => filePath)));
  await holder.query('rollback');
  const { code, stderr, stdout } = await backup;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('is complete');
  await writing.more(1);
  await writing.stop();

  const expected = await readRows(observer);
  const expectedFiles = await observer.query<{ id: string; path: string }>(
    'select id, file_path as path from attachments where deleted_at is null order by file_path',
  );
  await observer.query('commit');

  // After the backup, the clean-up goes on.
  expect((await cleanUp).removed).toBeGreaterThanOrEqual(victims.length);
  for (const { filePath } of victims) expect(await world.storedFiles.keys()).not.toContain(filePath);

  const files = await temporaryFolder();
  const restoredUrl = await createEmptyDatabase();
  const place = { ...world.environment, DATABASE_URL: restoredUrl, STORAGE_DIR: files };
  expect(await command('restore', place, folder)).toMatchObject({ code: 0, stderr: '' });

  const restored = await readDatabase(restoredUrl);
  expect(Object.keys(restored).length).toBeGreaterThan(20);
  const { 'public.event_epochs': epochs, ...others } = differences(expected, restored);
  expect(others).toEqual({});
  // The restore ends the epoch of the events, and begins another one.
  expect(epochs).toEqual({ lost: [], added: [expect.stringContaining('restored'), expect.any(String)] });

  expect(await storedFiles(files).keys()).toEqual(expectedFiles.rows.map(({ path }) => path));
  for (const { id, path } of expectedFiles.rows)
    expect({ path, hash: hashOf(await readFile(join(files, path))) }).toEqual({ path, hash: uploaded.get(id) });

  const service = await world.another({ DATABASE_URL: restoredUrl, STORAGE_DIR: files });
  const api = createApi(service.url);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  for (const { id } of [kept, ...victims]) {
    const { status, bytes } = await api.call(member, `GET /api/attachments/${id}`);
    expect({ status, hash: hashOf(bytes) }).toEqual({ status: 200, hash: uploaded.get(id) });
  }
  expect((await api.call(member, `GET /api/attachments/${deletedBefore.id}`)).status).toBe(404);
  expect((await api.call(world.global, `PUT /api/tenants/${tenant.id}`, { name: 'Written after the restore' })).status).toBe(200);
  await service.stop();
});
