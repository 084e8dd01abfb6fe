import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { backupLock, connectForMaintenance, endEarlierTimeline, unknownMigrations } from '@profile-service/db';
import { createFolderStorage, createStorage, type Storage } from '@profile-service/storage';
import type pg from 'pg';
import { directConnection } from '../direct-connection.ts';
import type { DataSettings } from '../settings.ts';
import type { RecoveryOptions } from './back-up.ts';
import { BackupError } from './backup-error.ts';
import { copyListedFiles } from './files.ts';
import { type Manifest, parts, readManifest } from './manifest.ts';
import { PostgresPrograms } from './postgres-programs.ts';
import { withoutTransactionTimeout } from './script-header.ts';

/**
 * Restores a backup into an empty database and an empty storage. The files come first, then the database in one transaction: it is empty or complete.
 * @throws BackupError, or the error of the database, the storage or the file system
 */
export async function restore({ settings, folder, environment, signal, print }: RecoveryOptions): Promise<void> {
  const manifest = await readManifest(folder);
  assertRestorable(manifest, settings);
  await using disposables = new AsyncDisposableStack();
  const client = disposables.adopt(await connectToIdle(settings), (connected) => connected.end());
  const programs = new PostgresPrograms(client, settings, environment, signal);
  const { rows } = await client.query<{ major: number }>(`select current_setting('server_version_num')::int / 10000 as major`);
  const [major = 0, backupMajor] = [rows[0]?.major, Math.floor(manifest.serverVersion / 10_000)];
  if (major < backupMajor)
    throw new BackupError(`The backup is of PostgreSQL ${backupMajor}, and the server is of the older version ${major}`);
  await programs.check(['pg_restore', 'psql'], backupMajor);
  await assertEmptyDatabase(client);
  const storage = disposables.adopt(await createStorage({ settings }), (opened) => opened.close());
  await storage.check();
  await assertEmptyStorage(storage, settings);

  print(`Restoring the backup of ${manifest.takenAt}`);
  const from = createFolderStorage(join(folder, parts.files), settings.ATTACHMENT_MAX_BYTES);
  const count = await copyListedFiles(join(folder, parts.fileList), { from, to: storage, signal });
  print(`${count} files are restored`);
  await restoreDatabase(programs, join(folder, parts.database));
  // A dump has no statistics. Without them, the first requests get slow plans.
  await client.query('analyze');
  print('The database is restored. Run the migration before you start the service, if its version is newer than that of the backup.');
}

/**
 * Ends what was given out after the point to which PostgreSQL or a managed service has restored the database. Run it before the service starts.
 * @throws BackupError if a service is connected
 */
export async function endEarlierTimelineOf({ settings, print }: Pick<RecoveryOptions, 'settings' | 'print'>): Promise<void> {
  const client = await connectToIdle(settings);
  try {
    await client.query(`begin; ${endEarlierTimeline} commit`);
  } finally {
    await client.end();
  }
  print('Positions of events and ETags from after the restore point are no longer valid.');
}

/** Connects, and holds the lock of backups. @throws BackupError if a service is connected, or a backup or another restore runs */
async function connectToIdle(settings: DataSettings): Promise<pg.Client> {
  const client = await connectForMaintenance({ ...directConnection(settings), applicationName: 'profile-service-restore' });
  try {
    const { rows } = await client.query<{ sessions: number; isFree: boolean }>(
      `select pg_try_advisory_lock($1) as "isFree", (
         select count(*) from pg_stat_activity
         where datname = current_database() and application_name like 'profile-service%' and pid <> pg_backend_pid()
       )::int as sessions`,
      [backupLock],
    );
    if (!rows[0]?.isFree) throw new BackupError('A backup or another restore of this database is running');
    if (rows[0].sessions > 0)
      throw new BackupError(`The service is connected to the database (${rows[0].sessions} sessions): stop all of its instances first`);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** @throws BackupError if this version cannot restore the backup with these settings */
function assertRestorable({ migrations, storageBasePath }: Manifest, { STORAGE_BASE_PATH: basePath }: DataSettings): void {
  const unknown = unknownMigrations(migrations);
  if (unknown.length > 0)
    throw new BackupError(`The backup is of a newer version of the service, with the migrations ${unknown.join(', ')}`);
  if (storageBasePath !== basePath)
    throw new BackupError(`STORAGE_BASE_PATH is ${basePath}, and that of the backup is ${storageBasePath}: set it to the same value`);
}

/** Extensions may exist: on some servers, only an administrator can create them. */
async function assertEmptyDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select relation.oid::regclass::text as name from pg_class as relation join pg_namespace as schema on schema.oid = relnamespace
    where nspname <> 'information_schema' and nspname !~ '^pg_(catalog|toast|temp)' and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = relation.oid and deptype = 'e'
    ) order by 1 limit 1`);
  if (rows[0]) throw new BackupError(`The database is not empty: it has ${rows[0].name}. Create a new one and set DATABASE_URL to it.`);
}

async function assertEmptyStorage(storage: Storage, { STORAGE_BASE_PATH: basePath }: DataSettings): Promise<void> {
  for await (const [object] of storage.list(`${basePath}/`, 1))
    if (object) throw new BackupError(`The storage is not empty: it has ${object.key}. Use an empty folder or bucket.`);
}

/** Runs the SQL of the dump in one transaction, and commits only after pg_restore has written all of it. */
async function restoreDatabase(programs: PostgresPrograms, dump: string): Promise<void> {
  const psql = programs.start('psql', ['--no-psqlrc', '--no-password', '--quiet', '--set=ON_ERROR_STOP=1', '--file=-']);
  const script = programs.start('pg_restore', ['--file=-', '--no-owner', '--no-privileges', dump]);
  psql.stdout.resume();
  script.stdin.end();
  psql.stdin.write('begin;\n');
  try {
    await pipeline(script.stdout, withoutTransactionTimeout(), psql.stdin, { end: false });
    await script.ended;
    psql.stdin.end(`\nreset search_path;\n${endEarlierTimeline}\ncommit;\n`);
    await psql.ended;
  } catch (error) {
    // Without the commit, psql changes nothing.
    psql.stdin.destroy();
    script.kill();
    const outcomes = await Promise.allSettled([psql.ended, script.ended]);
    // If psql fails, the pipe to it breaks. Its own error says why.
    throw outcomes.find((outcome) => outcome.status === 'rejected')?.reason ?? error;
  }
}
