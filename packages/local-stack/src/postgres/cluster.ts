import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runAs, type Account } from './account.ts';
import { unlessExists } from './unless-exists.ts';

const run = promisify(execFile);
const draftPrefix = 'cluster-draft-';

/**
 * Creates the cluster in `folder` if it does not exist, and makes the account its owner.
 * @param durable whether to flush new files to disk
 * @returns the cluster's folder and the password of its superuser `postgres`
 */
export async function initializeCluster(
  folder: string,
  account: Account,
  durable: boolean,
): Promise<{ cluster: string; password: string }> {
  const cluster = join(folder, 'cluster');
  const passwordFile = join(folder, 'password');
  if (!(await stat(cluster).catch(() => undefined))) {
    await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch(unlessExists);
    const draft = await mkdtemp(join(folder, draftPrefix));
    if (account.owner !== undefined) await chown(draft, account.owner, account.owner);
    await runAs(account, 'initdb', [...initdbOptions(account.version, passwordFile, durable), '-D', draft]);
    // Renaming last means that an interrupted start leaves no cluster, and that one of two concurrent starts wins.
    await rename(draft, cluster).catch(unlessExists);
  }
  const { uid } = await stat(cluster);
  // Data from another kind of account belong to another uid.
  if (account.owner !== undefined && uid !== account.owner) await run('chown', ['-Rh', `${account.owner}:${account.owner}`, cluster]);
  return { cluster, password: await readFile(passwordFile, 'utf8') };
}

/** Removes the drafts of interrupted initialisations. Call it only while this process runs the server. */
export async function removeAbandonedDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(draftPrefix));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** The order of C.UTF-8 is the same on all machines. PostgreSQL has it built in since version 17; before, it is the one of the C library. */
const initdbOptions = (version: number, passwordFile: string, durable: boolean): string[] => [
  '--username=postgres',
  `--pwfile=${passwordFile}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  ...(version >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'] : ['--locale=C.UTF-8', '--lc-messages=C']),
  '--no-instructions',
  ...(durable ? [] : ['--no-sync']),
];
