import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sortedNames } from '../src/folder/names.ts';

let folder: string;
const files = ['b.pdf', 'b-1.pdf', 'B.pdf', '.b.tmp', '_', ...Array.from({ length: 95 }, (_, index) => `${(index * 37) % 95}.pdf`)];
const folders = ['b', '0', 'z'];
const expected = [...files, ...folders.map((name) => `${name}/`)].toSorted();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profile-service-names-'));
  await Promise.all([...files.map((name) => writeFile(join(folder, name), '')), ...folders.map((name) => mkdir(join(folder, name)))]);
});
afterAll(() => rm(folder, { recursive: true }));

async function namesIn(batchSize: number): Promise<string[]> {
  const found: string[] = [];
  for await (const name of sortedNames(folder, batchSize)) found.push(name);
  return found;
}

test.each([1, 2, 7, 49, 51, 103, 104, 1_000])('all names are listed once and in order in batches of %i', async (batchSize) => {
  expect(await namesIn(batchSize)).toEqual(expected);
});

test('names that are removed while they are listed are no obstacle', async () => {
  const found: string[] = [];
  for await (const name of sortedNames(folder, 5)) {
    found.push(name);
    if (name.endsWith('.pdf')) await rm(join(folder, name));
  }
  expect(found).toEqual(expected);
  expect(await namesIn(5)).toEqual(expected.filter((name) => !name.endsWith('.pdf')));
});
