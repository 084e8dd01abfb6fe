import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Storage, StoredObject } from '../src/storage.ts';

const mib = 1024 ** 2;
/** More than one part of a multipart upload (5 MiB). */
const moreThanAPart = 6 * mib;
const contentType = 'application/pdf';
const noSuchObject = /ENOENT|does not exist|not found/i;

/** A storage under test, without objects. */
export interface Subject {
  storage: Storage;
  /** Keys of uploads that have begun and are neither complete nor aborted, read from the storage itself. */
  openUploads(): Promise<string[]>;
  /** Storages that cannot be used, by their fault. */
  unusable: Record<string, Storage>;
  stop(): Promise<void>;
}

/**
 * Tests that every object storage passes.
 * @param faults the faults of the storages that cannot be used, with the error message of each
 */
export function storageContract(faults: Record<string, RegExp>, create: () => Promise<Subject>): void {
  let subject: Subject;
  let storage: Storage;
  /** Each test has a prefix of its own. */
  let prefix: string;
  beforeAll(async () => {
    subject = await create();
    storage = subject.storage;
  });
  const run = `test-${randomUUID()}/`;
  beforeEach(() => void (prefix = `${run}${randomUUID()}/`));
  afterAll(async () => {
    for await (const page of storage.list(run, 1000)) await Promise.all(page.map(({ key }) => storage.remove(key)));
    await subject.stop();
  });

  const put = (name: string, ...content: Uint8Array[]) => storage.put(prefix + name, Readable.from(content), contentType);
  const read = async (name: string, range?: { start: number; end: number }) => {
    const { content, size } = await storage.open(prefix + name, range);
    const bytes = await buffer(content);
    expect(bytes.length).toBe(size);
    return bytes;
  };
  const pages = (under: string, pageSize = 1000): Promise<StoredObject[][]> => Readable.from(storage.list(under, pageSize)).toArray();
  const keys = async (start = '') => (await pages(prefix + start)).flat().map(({ key }) => key.slice(prefix.length));
  const openUploads = async () => (await subject.openUploads()).filter((key) => key.startsWith(prefix));
  const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000);

  /** Begins an upload whose content pauses after its first bytes until `end` is called. `paused` resolves when the storage asks for more. */
  function beginUpload(name: string, bytes = moreThanAPart) {
    const [paused, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<Error | undefined>()];
    const content = async function* () {
      yield randomBytes(bytes);
      paused.resolve();
      const failure = await ended.promise;
      if (failure) throw failure;
      yield randomBytes(10);
    };
    return { done: storage.put(prefix + name, content(), contentType), paused: paused.promise, end: ended.resolve };
  }

  describe('an object', () => {
    test.each([0, 1, 300_000])('of %i bytes is returned unchanged', async (bytes) => {
      await storage.check();
      const content = randomBytes(bytes);
      await put('a.pdf', content);
      expect((await read('a.pdf')).equals(content)).toBe(true);
      expect(await storage.has(`${prefix}a.pdf`)).toBe(true);
    });

    test('of several parts is returned in full and in ranges', async () => {
      const content = randomBytes(3 * moreThanAPart + 17);
      await put('DOCUMENT/large.pdf', ...[0, 1, 2, 3].map((part) => content.subarray(part * moreThanAPart, (part + 1) * moreThanAPart)));
      expect((await read('DOCUMENT/large.pdf')).equals(content)).toBe(true);
      const middle = await read('DOCUMENT/large.pdf', { start: 5 * mib - 2, end: 5 * mib + 1 });
      expect(middle).toEqual(content.subarray(5 * mib - 2, 5 * mib + 2));
      expect(await openUploads()).toEqual([]);
    });

    test('is returned from the first to the last byte of a range, which must begin before its end', async () => {
      const content = randomBytes(1_000);
      await put('a.pdf', content);
      for (const [start, end] of [
        [0, 0],
        [10, 99],
        [990, 5_000],
      ] as const)
        expect(await read('a.pdf', { start, end })).toEqual(content.subarray(start, end + 1));
      await expect(read('a.pdf', { start: 1_000, end: 2_000 })).rejects.toThrow(/range/i);
    });

    test('is replaced atomically, and a reader of the old one can read it to its end', async () => {
      const [old, replacement] = [randomBytes(moreThanAPart), randomBytes(moreThanAPart + 1)];
      await put('a.pdf', old);
      const { content } = await storage.open(`${prefix}a.pdf`);
      await put('a.pdf', replacement);
      expect((await buffer(content)).equals(old)).toBe(true);
      expect((await read('a.pdf')).equals(replacement)).toBe(true);
    });

    test('is not visible before it is complete', async () => {
      const upload = beginUpload('a.pdf');
      await expect.poll(openUploads).toEqual([`${prefix}a.pdf`]);
      expect(await storage.has(`${prefix}a.pdf`)).toBe(false);
      expect(await keys()).toEqual([]);
      await expect(read('a.pdf')).rejects.toThrow(noSuchObject);
      upload.end(undefined);
      await upload.done;
      expect(await keys()).toEqual(['a.pdf']);
      expect(await read('a.pdf')).toHaveLength(moreThanAPart + 10);
      expect(await openUploads()).toEqual([]);
    });

    test.each([
      ['within its first part', 100],
      ['after its first part', moreThanAPart],
    ])('is not stored if its content fails %s, and an older object stays', async (_when, bytes) => {
      const before = randomBytes(100);
      await put('old.pdf', before);
      const failure = new Error('the client disconnected');
      for (const name of ['old.pdf', 'new.pdf']) {
        const upload = beginUpload(name, bytes);
        upload.end(failure);
        await expect(upload.done).rejects.toBe(failure);
      }
      expect(await keys()).toEqual(['old.pdf']);
      expect(await read('old.pdf')).toEqual(before);
      expect(await openUploads()).toEqual([]);
    });

    test('is removed. One that does not exist cannot be opened, and its removal succeeds', async () => {
      for (const name of ['DOCUMENT/a.pdf', 'DOCUMENT/b.pdf']) await put(name, randomBytes(10));
      await storage.remove(`${prefix}DOCUMENT/a.pdf`);
      expect(await keys()).toEqual(['DOCUMENT/b.pdf']);
      for (const name of ['DOCUMENT/a.pdf', 'absent.pdf', 'absent/absent.pdf']) {
        await expect(storage.open(prefix + name)).rejects.toThrow(noSuchObject);
        expect(await storage.has(prefix + name)).toBe(false);
        await storage.remove(prefix + name);
      }
    });
  });

  test('a copy has the same content, replaces an existing object, and stays after the original is removed', async () => {
    const content = randomBytes(moreThanAPart);
    await put('DOCUMENT/a.pdf', content);
    await put('USER/a.pdf', randomBytes(10));
    const copy = (from: string, to: string) => storage.copy(prefix + from, prefix + to, { size: content.length });
    await copy('DOCUMENT/a.pdf', 'USER/a.pdf');
    expect(await keys()).toEqual(['DOCUMENT/a.pdf', 'USER/a.pdf']);
    await storage.remove(`${prefix}DOCUMENT/a.pdf`);
    await expect(copy('DOCUMENT/a.pdf', 'copy.pdf')).rejects.toThrow(noSuchObject);
    expect((await read('USER/a.pdf')).equals(content)).toBe(true);
    expect([await keys(), await openUploads()]).toEqual([['USER/a.pdf'], []]);
  });

  describe('the list', () => {
    test('contains the objects under the prefix in byte order of their keys, with their modification times', async () => {
      // A slash sorts after a minus and before digits. Capital letters sort before small ones.
      const expected = ['A/z.pdf', 'a-b/x.pdf', 'a.pdf', 'a/B.pdf', 'a/b/c.pdf', 'a/b0.pdf', 'a0.pdf'];
      for (const name of expected.toReversed()) await put(name, randomBytes(1));
      expect(await keys()).toEqual(expected);
      for (const { modifiedAt } of (await pages(prefix)).flat()) expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
      for (const start of ['a/', 'a/b/c', 'b']) expect(await keys(start)).toEqual(expected.filter((key) => key.startsWith(start)));
    });

    test('is returned in pages', async () => {
      const names = Array.from({ length: 25 }, (_, index) => `${String(index).padStart(2, '0')}.pdf`);
      for (const name of names) await put(name, randomBytes(1));
      const found = (await pages(prefix, 10)).filter((page) => page.length > 0);
      expect(found.map((page) => page.length)).toEqual([10, 10, 5]);
      expect(found.flat().map(({ key }) => key.slice(prefix.length))).toEqual(names);
      expect((await pages(prefix, 25)).flat()).toHaveLength(25);
    });
  });

  test('abortUploads aborts the uploads under the prefix that began before a time', async () => {
    await put('DOCUMENT/a.pdf', randomBytes(10));
    const failure = new Error('aborted');
    const uploads = ['DOCUMENT/b.pdf', 'USER/c.pdf'].map((name) => beginUpload(name));
    // S3 may keep an upload that is aborted while it receives a part.
    await Promise.all(uploads.map(({ paused }) => paused));
    await expect.poll(openUploads).toHaveLength(2);
    expect(await storage.abortUploads(prefix, minutesFromNow(-60))).toBe(0);
    expect(await storage.abortUploads(`${prefix}DOCUMENT/`, minutesFromNow(60))).toBe(1);
    expect(await openUploads()).toEqual([`${prefix}USER/c.pdf`]);
    for (const { done, end } of uploads) {
      end(failure);
      await expect(done).rejects.toBe(failure);
    }
    expect(await storage.abortUploads(prefix, minutesFromNow(60))).toBe(0);
    expect(await keys()).toEqual(['DOCUMENT/a.pdf']);
  });

  describe.each(Object.entries(faults))('with %s', (fault, message) => {
    test.each<[string, (broken: Storage) => Promise<unknown>]>([
      ['check', (broken) => broken.check()],
      ['put', (broken) => broken.put('DOCUMENT/a.pdf', Readable.from([randomBytes(10)]), contentType)],
      ['put of several parts', (broken) => broken.put('DOCUMENT/a.pdf', Readable.from([randomBytes(2 * moreThanAPart)]), contentType)],
      ['open', (broken) => broken.open('DOCUMENT/a.pdf')],
      ['copy', (broken) => broken.copy('DOCUMENT/a.pdf', 'USER/a.pdf', { size: 0 })],
      ['remove', (broken) => broken.remove('DOCUMENT/a.pdf')],
      ['has', (broken) => broken.has('DOCUMENT/a.pdf')],
      ['list', (broken) => Readable.from(broken.list('DOCUMENT/', 1000)).toArray()],
      ['abortUploads', (broken) => broken.abortUploads('DOCUMENT/', new Date())],
    ])('%s fails', async (_operation, work) => {
      await expect(work(subject.unusable[fault]!)).rejects.toThrow(message);
    });
  });
}
