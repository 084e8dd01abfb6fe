import { createHash } from 'node:crypto';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backupLock } from '@profile-service/db';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase, createTestDatabase } from '../../../../test/database.ts';
import { content, upload } from '../support/files.ts';
import { storedFiles } from '../../../../test/storage/stored-files.ts';
import { startStubS3 } from '../../../../test/storage/stub-s3.ts';
import { pemFileOf, startTlsProxy } from '../support/tls-proxy.ts';
import { useWorld } from '../support/world.ts';
import { command, holdBackup, openSession, startCommand, temporaryFolder } from './commands.ts';
import { readDatabase } from './rows.ts';

const world = useWorld();
/** The files of two attachments. */
let keys: string[];
beforeAll(async () => {
  for (let count = 0; count < 2; count += 1) await upload(world, world.global);
  keys = await world.storedFiles.keys();
});

/** Makes a backup of the world. Returns its folder. */
async function backUp(...args: string[]): Promise<string> {
  const folder = join(await temporaryFolder(), 'backup');
  expect(await command('backup', world.environment, folder, ...args)).toMatchObject({ code: 0, stderr: '' });
  return folder;
}

/** The settings of an empty place. */
const emptyPlace = async () => ({ ...world.environment, DATABASE_URL: await createEmptyDatabase(), STORAGE_DIR: await temporaryFolder() });
const tablesIn = async (place: { DATABASE_URL: string }) => Object.keys(await readDatabase(place.DATABASE_URL));

/** Changes the manifest of a backup. */
async function edit(folder: string, change: (manifest: any) => void): Promise<void> {
  const path = join(folder, 'manifest.json');
  const manifest: unknown = JSON.parse(await readFile(path, 'utf8'));
  change(manifest);
  await writeFile(path, JSON.stringify(manifest));
}

/** Cuts the end of the dump, and writes its new size and hash into the manifest. */
async function cutDump(folder: string): Promise<void> {
  const dump = join(folder, 'database.dump');
  const bytes = (await readFile(dump)).subarray(0, -2_000);
  await writeFile(dump, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await edit(folder, (manifest) => (manifest.database = { bytes: bytes.length, sha256 }));
}

describe('a restore refuses a backup, and restores no record of it,', () => {
  const damages: [title: string, damage: (folder: string) => Promise<unknown>, message: string][] = [
    ['without a manifest', (folder) => rm(join(folder, 'manifest.json')), 'is not a complete backup'],
    ['with an incomplete manifest', (folder) => truncate(join(folder, 'manifest.json'), 20), 'manifest.json is damaged'],
    ['of another format', (folder) => edit(folder, (manifest) => (manifest.format = 2)), 'of another version'],
    ['without a dump', (folder) => rm(join(folder, 'database.dump')), 'is not a complete backup'],
    ['with a shorter dump', (folder) => truncate(join(folder, 'database.dump'), 9_000), 'database.dump is damaged'],
    ['with a shorter list of files', (folder) => truncate(join(folder, 'files.jsonl'), 0), 'files.jsonl is damaged'],
    ['without a file', (folder) => rm(join(folder, 'files', keys[0]!)), 'does not have the file'],
    [
      'with a changed file',
      (folder) => writeFile(join(folder, 'files', keys[1]!), content('application/pdf', 1_000)),
      'another size or hash',
    ],
    [
      'of a newer version of the service',
      (folder) => edit(folder, (manifest) => manifest.migrations.push('9999-later')),
      'newer version of the service, with the migrations 9999-later',
    ],
    ['of a newer PostgreSQL', (folder) => edit(folder, (manifest) => (manifest.serverVersion = 990_000)), 'The backup is of PostgreSQL 99'],
    ['of which pg_restore fails in the middle', cutDump, 'pg_restore failed'],
  ];
  test.each(damages)('%s', async (_title, damage, message) => {
    const folder = await backUp();
    await damage(folder);
    const place = await emptyPlace();
    const { code, stderr } = await command('restore', place, folder);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
    expect(await tablesIn(place)).toEqual([]);
  });
});

test('a restore that psql rejects in the middle says why, and leaves the database empty', async () => {
  const place = await emptyPlace();
  const folder = await backUp();
  // The restore creates this function itself. It is no relation, so the check for an empty database does not find it.
  const other = await openSession(place.DATABASE_URL, 'create function raise_version() returns int language sql return 1');
  await other.end();
  const { code, stderr } = await command('restore', place, folder);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^psql failed \(3\):[^]*function "raise_version" already exists/),
  });
  expect(await tablesIn(place)).toEqual([]);
});

test('a backup refuses a folder that is not empty, and a restore a database in use and a place that is not empty', async () => {
  const folder = await backUp();
  expect(await command('backup', world.environment, folder)).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
  const place = await emptyPlace();
  const refusal = async (settings: Record<string, string>) => (await command('restore', { ...place, ...settings }, folder)).stderr;
  expect(await refusal({ DATABASE_URL: world.databaseUrl })).toMatch(/The service is connected to the database \(\d+ sessions\)/);
  expect(await refusal({ DATABASE_URL: await createTestDatabase() })).toContain('The database is not empty: it has ');
  expect(await refusal({ STORAGE_DIR: world.filesDir })).toContain(`The storage is not empty: it has ${keys[0]}`);
  expect(await refusal({ STORAGE_BASE_PATH: 'other' })).toContain('STORAGE_BASE_PATH is other, and that of the backup is attachments');
  expect(await tablesIn(place)).toEqual([]);
  expect(await command('restore', place, folder)).toMatchObject({ code: 0, stderr: '' });
});

describe('a backup', () => {
  test('names attachments whose files are missing or incomplete, and leaves them out if asked to', async () => {
    const [lost, short] = [await upload(world, world.global), await upload(world, world.global)].map(({ body }) => body);
    onTestFinished(
      async () => void (await world.sql('update attachments set deleted_at = now() where id = any($1::uuid[])', [[lost!.id, short!.id]])),
    );
    await world.storedFiles.remove(lost!.filePath);
    await truncate(join(world.filesDir, short!.filePath), 10);
    const folder = join(await temporaryFolder(), 'incomplete');
    const { code, stderr } = await command('backup', world.environment, folder);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('lacks the files of 2 attachments') });
    expect([stderr.includes(lost!.id), stderr.includes(short!.id)]).toEqual([true, true]);
    expect((await command('restore', await emptyPlace(), folder)).stderr).toContain('is not a complete backup');

    const place = await emptyPlace();
    expect(await command('restore', place, await backUp('--allow-missing-files'))).toMatchObject({ code: 0, stderr: '' });
    expect(await storedFiles(place.STORAGE_DIR).keys()).toEqual(keys);
  });

  const dumping = async () =>
    (await world.sql("select from pg_stat_activity where datname = current_database() and application_name = 'pg_dump'")).length;
  /** Whether the file of a deleted attachment is removed at once. */
  async function removesFiles(): Promise<boolean> {
    const { body } = await upload(world, world.global);
    await world.call(world.global, `DELETE /api/attachments/${body.id}`);
    return !(await world.storedFiles.keys()).includes(body.filePath);
  }

  test.each([
    ['SIGTERM', { code: 1, stderr: 'Aborted by SIGTERM\n' }],
    ['SIGKILL', { code: null, stderr: '' }],
  ] as const)('that runs refuses another one; after %s it is not complete, and the service removes files again', async (signal, end) => {
    const holder = await holdBackup(world.databaseUrl);
    const folder = join(await temporaryFolder(), 'held');
    const running = startCommand('backup', world.environment, folder);
    await expect.poll(dumping).toBe(1);
    const second = await command('backup', world.environment, join(await temporaryFolder(), 'second'));
    expect(second).toMatchObject({ code: 1, stderr: 'Another backup or restore of this database is running\n' });
    expect(await removesFiles()).toBe(false);

    running.kill(signal);
    expect(await running.ended).toMatchObject(end);
    await expect.poll(removesFiles).toBe(true);
    await holder.query('rollback');
    await expect.poll(dumping).toBe(0);
    expect((await command('restore', await emptyPlace(), folder)).stderr).toContain('is not a complete backup');
  });
});

test('SIGTERM ends a backup that waits for a running deletion', async () => {
  await openSession(world.databaseUrl, 'select pg_advisory_lock_shared($1)', [backupLock]);
  const running = startCommand('backup', world.environment, join(await temporaryFolder(), 'waiting'));
  const waiting = 'select from pg_locks join pg_database on database = pg_database.oid where datname = current_database() and not granted';
  await expect.poll(async () => (await world.sql(waiting)).length).toBe(1);
  running.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 1, stderr: 'Aborted by SIGTERM\n' });
});

test('a restore and a backup need only the owner of the database, also if the backup is from another role', async () => {
  const place = await emptyPlace();
  const url = new URL(place.DATABASE_URL);
  await world.sql(`create role recovery_owner login password 'test'`);
  await world.sql(`alter database ${pg.escapeIdentifier(url.pathname.slice(1))} owner to recovery_owner`);
  [url.username, url.password] = ['recovery_owner', 'test'];
  const owned = { ...place, DATABASE_URL: url.href };
  expect(await command('restore', owned, await backUp())).toMatchObject({ code: 0, stderr: '' });
  expect(await command('backup', owned, join(await temporaryFolder(), 'of-the-owner'))).toMatchObject({ code: 0, stderr: '' });
  const service = await world.another(owned);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  await service.stop();
});

test('files are restored into a bucket, and backed up from it', async () => {
  const stub = await startStubS3();
  onTestFinished(() => stub.stop());
  await upload(world, world.global, {}, new File([content('image/png', 5_500_000)], 'large.png', { type: 'image/png' }));
  const place = { ...(await emptyPlace()), ...stub.settings, STORAGE_DIR: '' };
  expect(await command('restore', place, await backUp())).toMatchObject({ code: 0, stderr: '' });
  const rows = await world.sql<{ path: string }>('select file_path as path from attachments where deleted_at is null order by 1');
  const live = rows.map(({ path }) => path);
  expect([...stub.objects.keys()].toSorted()).toEqual(live);

  const folder = join(await temporaryFolder(), 'of-the-bucket');
  expect(await command('backup', place, folder)).toMatchObject({ code: 0, stderr: '' });
  for (const key of live) {
    const [original, copy] = await Promise.all([join(world.filesDir, key), join(folder, 'files', key)].map((path) => readFile(path)));
    expect({ key, isEqual: original?.equals(copy!) }).toEqual({ key, isEqual: true });
  }
});

test('all connections verify the certificate of the database with DATABASE_CA_FILE', async () => {
  const folder = join(await temporaryFolder(), 'encrypted');
  const source = await startTlsProxy(world.databaseUrl);
  onTestFinished(() => source.stop());
  const encrypted = { ...world.environment, DATABASE_URL: source.url, DATABASE_CA_FILE: source.caFile };
  expect(await command('backup', encrypted, folder)).toMatchObject({ code: 0, stderr: '' });
  const place = await emptyPlace();
  const target = await startTlsProxy(place.DATABASE_URL);
  onTestFinished(() => target.stop());
  const { code, stderr } = await command('restore', { ...place, DATABASE_URL: target.url, DATABASE_CA_FILE: target.caFile }, folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const wrong = { ...encrypted, DATABASE_CA_FILE: pemFileOf('other-host') };
  expect((await command('backup', wrong, join(folder, 'wrong'))).stderr).toMatch(/certificate/);
});
