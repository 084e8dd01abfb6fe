import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cachedFolder } from '../../../../scripts/cached-folder.ts';

test('two runs that create a folder of the cache at once both get it, and a folder that could not be filled is not kept', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'profile-service-cache-'));
  onTestFinished(() => rm(cache, { recursive: true }));
  const { promise: bothCreate, resolve } = Promise.withResolvers<void>();
  let running = 0;
  const create = async (folder: string) => {
    if ((running += 1) === 2) resolve();
    await bothCreate;
    await writeFile(join(folder, 'file'), 'content');
  };
  const folder = join(cache, 'tool-1.0');
  expect(await Promise.all([cachedFolder('tool-1.0', create, cache), cachedFolder('tool-1.0', create, cache)])).toEqual([folder, folder]);
  await expect(cachedFolder('tool-2.0', () => Promise.reject(new Error('no network')), cache)).rejects.toThrow('no network');
  expect(await readdir(cache)).toEqual(['tool-1.0']);
  expect(await readdir(folder)).toEqual(['file']);
});
