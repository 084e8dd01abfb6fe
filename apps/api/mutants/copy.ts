import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fastFolder } from '../../../test/fast-folder.ts';
import type { Mutant } from './mutant.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Copies the project as it lies here, with its packages, to a place where it may be broken. Gives the folder. */
export async function copyProject(): Promise<string> {
  const copy = await mkdtemp(join(await fastFolder(), 'profile-service-mutants-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  const files = listed.split('\0').filter((file) => file !== '');
  for (const file of files) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    // One that was removed and not committed is still listed.
    await cp(join(root, file), join(copy, file)).catch(unlessAbsent);
  }
  const folders = ['.', ...files.filter((file) => file.endsWith('/package.json')).map((file) => dirname(file))];
  for (const folder of folders) await copyPackages(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  return copy;
}

/** Links among the project's own packages are relative, so they lead to the copies; those to all others lead through one link to the originals. */
async function copyPackages(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from).catch(() => [])) {
    if (entry === '.cache') continue;
    await mkdir(to, { recursive: true });
    if (entry === '.pnpm') await symlink(join(from, entry), join(to, entry));
    else await cp(join(from, entry), join(to, entry), { recursive: true, verbatimSymlinks: true });
  }
}

/** Does the work on the copy as the mutant has it; afterwards the copy is whole again. Throws where the mutant's text is not there, or not once. */
export async function mutated<T>(copy: string, { file, find, replace }: Mutant, work: () => Promise<T>): Promise<T> {
  const path = join(copy, file);
  const whole = await readFile(path, 'utf8');
  const found = whole.split(find).length - 1;
  if (found !== 1) throw new Error(`${file} has ${found} times what is to be replaced: ${find.trim()}`);
  await writeFile(
    path,
    whole.replace(find, () => replace),
  );
  try {
    return await work();
  } finally {
    await writeFile(path, whole);
  }
}

const unlessAbsent = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
};
