import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connectForMaintenance } from '@profile-service/db';
import { createFolderStorage, createStorage } from '@profile-service/storage';
import type { MissingFiles } from '../missing-files.ts';
import { directConnection } from '../direct-connection.ts';
import type { DataSettings } from '../settings.ts';
import { BackupError } from './backup-error.ts';
import { recordedFiles, releaseSnapshot, takeSnapshot } from './snapshot.ts';
import { copyRecordedFiles } from './files.ts';
import { describePart, type Manifest, parts, writeManifest } from './manifest.ts';
import { PostgresPrograms } from './postgres-programs.ts';

/** How many ids of attachments without a file an error names. */
const maxNamed = 20;

export interface RecoveryOptions {
  settings: DataSettings;
  /** Folder of the backup. */
  folder: string;
  /** For the client programs of PostgreSQL. */
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Called with lines for the operator. */
  print: (line: string) => void;
}

/**
 * Writes a backup of the database and the files into a new or empty folder, while the service runs. Both are of the same point in time. From then until the end,
 * the service removes no files.
 * @param options `allowMissing`: whether the backup may lack files that the storage does not have
 * @throws BackupError, or the error of the database, the storage or the file system. The folder then has no manifest.
 */
export async function backUp({ settings, folder, environment, signal, print, allowMissing }: RecoveryOptions & { allowMissing: boolean }) {
  await using disposables = new AsyncDisposableStack();
  const connection = { ...directConnection(settings), applicationName: 'profile-service-backup' };
  const client = disposables.adopt(await connectForMaintenance(connection), (connected) => connected.end());
  const programs = new PostgresPrograms(client, settings, environment, signal);
  const { rows } = await client.query<{ major: number }>(`select current_setting('server_version_num')::int / 10000 as major`);
  await programs.check(['pg_dump'], rows[0]?.major ?? 0);
  const storage = disposables.adopt(await createStorage({ settings }), (opened) => opened.close());
  await createFolder(folder);

  const snapshot = await takeSnapshot(client, signal);
  print(`The backup has everything that was committed before ${snapshot.takenAt}`);
  const dump = join(folder, parts.database);
  await programs.run('pg_dump', ['--format=custom', `--snapshot=${snapshot.id}`, '--no-password', `--file=${dump}`]);
  print('The database is copied');
  const files = await copyRecordedFiles(recordedFiles(client), {
    from: storage,
    to: createFolderStorage(join(folder, parts.files), settings.ATTACHMENT_MAX_BYTES),
    listPath: join(folder, parts.fileList),
    signal,
  });
  await releaseSnapshot(client);
  if (files.missing.count > 0 && !allowMissing) throw new BackupError(describeMissing(files.missing));

  const { takenAt, serverVersion, migrations } = snapshot;
  const [database, fileList] = (await Promise.all([dump, join(folder, parts.fileList)].map(describePart))) as [
    Manifest['database'],
    Manifest['fileList'],
  ];
  await writeManifest(folder, {
    format: 1,
    takenAt,
    serverVersion,
    migrations,
    storageBasePath: settings.STORAGE_BASE_PATH,
    database,
    fileList,
    files: { count: files.count, bytes: files.bytes, missing: files.missing.count },
  });
  if (files.missing.count > 0) print(describeMissing(files.missing));
  print(`The backup in ${folder} is complete: ${database.bytes} bytes of the database, ${files.count} files with ${files.bytes} bytes`);
}

/** Other users may not read a backup: it has personal data. */
async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new BackupError(`The folder ${folder} is not empty: name a new one`);
  await mkdir(join(folder, parts.files), { mode: 0o700 });
}

function describeMissing({ count, ids }: MissingFiles): string {
  const named = count > maxNamed ? `${ids.slice(0, maxNamed).join(', ')} and others` : ids.join(', ');
  const remedy =
    'Restore the files (docs/run/runbooks.md#profileattachmentswithoutobject), or back up without them: --allow-missing-files.';
  return `The storage lacks the files of ${count} attachments: ${named}. ${remedy}`;
}
