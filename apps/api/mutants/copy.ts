import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fastFolder } from '../../../test/fast-folder.ts';
import { applyMutant } from './apply.ts';
import type { Mutant } from './mutant.ts';
import type { Sources } from './source/sources.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Copies the project's working tree and its packages to a temporary folder. Returns the folder. */
export async function copyProject(): Promise<string> {
  const copy = await mkdtemp(join(await fastFolder(), 'profile-service-mutants-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  const files = listed.split('\0').filter((file) => file !== '');
  for (const file of files) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    // Git still lists a file whose deletion is not committed.
    await cp(join(root, file), join(copy, file)).catch(unlessAbsent);
  }
  const folders = ['.', ...files.filter((file) => file.endsWith('/package.json')).map((file) => dirname(file))];
  for (const folder of folders) await copyPackages(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  return copy;
}

/** Relative links between the project's own packages point to the copies. All other packages are reached through one link to the originals. */
async function copyPackages(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from).catch(() => [])) {
    if (entry === '.cache') continue;
    await mkdir(to, { recursive: true });
    if (entry === '.pnpm') await symlink(join(from, entry), join(to, entry));
    else await cp(join(from, entry), join(to, entry), { recursive: true, verbatimSymlinks: true });
  }
}

/** Runs `work` with the mutant applied to the copy, then restores the files. @param sources those of the copy */
export async function withMutant<T>(copy: string, sources: Sources, mutant: Mutant, work: () => Promise<T>): Promise<T> {
  const changed = applyMutant(sources, mutant);
  const write = (file: string, text: string) => writeFile(join(copy, file), text);
  try {
    for (const [file, text] of changed) await write(file, text);
    return await work();
  } finally {
    for (const file of changed.keys()) await write(file, sources.get(file) as string);
  }
}

const unlessAbsent = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
};
