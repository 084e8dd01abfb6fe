import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { sortedNames } from '../src/folder/names.ts';

const folder = await mkdtemp(join(tmpdir(), 'profile-service-names-'));
afterAll(() => rm(folder, { recursive: true }));
const files = ['b.pdf', 'b-1.pdf', 'B.pdf', '.b.tmp', '_', ...Array.from({ length: 95 }, (_, index) => `${(index * 37) % 95}.pdf`)];
const folders = ['b', '0', 'z'];
await Promise.all([...files.map((name) => writeFile(join(folder, name), '')), ...folders.map((name) => mkdir(join(folder, name)))]);
const expected = [...files, ...folders.map((name) => `${name}/`)].toSorted();
const namesIn = (batchSize: number) => Readable.from(sortedNames(folder, batchSize)).toArray();

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
