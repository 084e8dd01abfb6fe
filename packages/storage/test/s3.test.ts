import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { createS3Storage } from '../src/s3/s3-storage.ts';
import { readS3Settings } from '../../../test/storage/stored-objects.ts';
import { startStubS3 } from '../../../test/storage/stub-s3.ts';

const mib = 1024 * 1024;

const stub = await startStubS3();
const { STORAGE_DIR: _none, ...named } = stub.settings;
const storage = createS3Storage(readS3Settings(named));
afterAll(async () => {
  storage.close();
  await stub.stop();
});

const file = (bytes: number) => Readable.from([randomBytes(bytes)]);

// Other operations have up to 200 connections.
test('201 downloads that clients do not read leave connections for other operations', async () => {
  await storage.put('held.pdf', file(64 * 1024), 'application/pdf');
  const held = await Promise.all(Array.from({ length: 201 }, () => storage.open('held.pdf')));
  await storage.check();
  await storage.put('other.pdf', file(1000), 'application/pdf');
  for (const name of ['held.pdf', 'other.pdf']) await storage.remove(name);
  expect(await storage.has('held.pdf')).toBe(false);
  for (const { content: stream } of held) stream.destroy();
});

test.each([
  ['a small file', [100, 0, 300]],
  ['more than the first buffer', [256 * 1024, 1]],
  ['exactly one part', [5 * mib]],
  ['one byte more than a part', [5 * mib, 1]],
  ['chunks that do not end with a part', [3 * mib, 3 * mib, 3 * mib, 3 * mib]],
  ['a chunk of several parts', [10, 12 * mib]],
])('put stores the content unchanged: %s', async (_case, lengths) => {
  const chunks = lengths.map((length) => randomBytes(length));
  await storage.put('parts.pdf', Readable.from(chunks), 'application/pdf');
  expect(stub.objects.get('parts.pdf')?.equals(Buffer.concat(chunks))).toBe(true);
  expect(stub.openUploads()).toEqual([]);
});

test('has fails, and does not return false, while the storage is unreachable', async () => {
  stub.cut();
  await expect(storage.has('held.pdf')).rejects.toThrow(/ECONN|socket/);
  stub.restore();
  expect(await storage.has('held.pdf')).toBe(false);
});
