import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Storage } from '../../../src/integrations/storage/storage.ts';

const mib = 1024 ** 2;
/** More than a part of a multipart upload, which has 5 MiB. */
const moreThanAPart = 6 * mib;
const contentType = 'application/pdf';
const noSuchObject = /ENOENT|does not exist|not found/i;

/** A storage under test, without objects. */
export interface Subject {
  storage: Storage;
  /** Keys of uploads that have begun and are neither complete nor aborted, read from the storage itself. */
  openUploads(): Promise<string[]>;
  /** Storages that cannot be used, by what is wrong with them. */
  unusable: Record<string, Storage>;
  stop(): Promise<void>;
}

async function* pieces(...content: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* content;
}

/**
 * What every object storage does, wherever it keeps its objects.
 * @param faults what is wrong with the storages that cannot be used, with a part of their errors' messages
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

  const put = (name: string, ...content: Uint8Array[]) => storage.put(prefix + name, pieces(...content), contentType);
  const read = async (name: string, range?: { start: number; end: number }) => {
    const { content, size } = await storage.open(prefix + name, range);
    const bytes = await buffer(content);
    expect(bytes.length).toBe(size);
    return bytes;
  };
  const pages = async (under: string, pageSize = 1000) => {
    const found = [];
    for await (const page of storage.list(under, pageSize)) found.push(page);
    return found;
  };
  const keys = async () => (await pages(prefix)).flat().map(({ key }) => key.slice(prefix.length));
  const openUploads = async () => (await subject.openUploads()).filter((key) => key.startsWith(prefix));
  const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000);

  /** An upload whose content stops on the way until `end` is called. */
  function beginUpload(name: string, bytes = moreThanAPart) {
    const { promise, resolve } = Promise.withResolvers<Error | undefined>();
    const content = async function* () {
      yield randomBytes(bytes);
      const failure = await promise;
      if (failure) throw failure;
      yield randomBytes(10);
    };
    return { done: storage.put(prefix + name, content(), contentType), end: resolve };
  }

  test('a usable storage passes its check', () => expect(storage.check()).resolves.toBeUndefined());

  describe('an object', () => {
    test.each([0, 1, 300_000])('of %i bytes comes back', async (bytes) => {
      const content = randomBytes(bytes);
      await put('a.pdf', content);
      expect((await read('a.pdf')).equals(content)).toBe(true);
      expect(await storage.has(`${prefix}a.pdf`)).toBe(true);
    });

    test('of several parts comes back, whole and in ranges', async () => {
      const content = randomBytes(3 * moreThanAPart + 17);
      await put('DOCUMENT/large.pdf', ...[0, 1, 2, 3].map((part) => content.subarray(part * moreThanAPart, (part + 1) * moreThanAPart)));
      expect((await read('DOCUMENT/large.pdf')).equals(content)).toBe(true);
      const middle = await read('DOCUMENT/large.pdf', { start: 5 * mib - 2, end: 5 * mib + 1 });
      expect(middle).toEqual(content.subarray(5 * mib - 2, 5 * mib + 2));
      expect(await openUploads()).toEqual([]);
    });

    test.each([
      [0, 0, 0, 1],
      [10, 99, 10, 100],
      [990, 5_000, 990, 1_000],
    ])('gives its range from %i to %i', async (start, end, from, to) => {
      const content = randomBytes(1_000);
      await put('a.pdf', content);
      expect(await read('a.pdf', { start, end })).toEqual(content.subarray(from, to));
    });

    test('gives no range that begins behind its end', async () => {
      await put('a.pdf', randomBytes(10));
      await expect(read('a.pdf', { start: 10, end: 20 })).rejects.toThrow(/range/i);
    });

    test('is replaced as a whole, and who reads the old one can read it to its end', async () => {
      const [old, replacement] = [randomBytes(moreThanAPart), randomBytes(moreThanAPart + 1)];
      await put('a.pdf', old);
      const { content } = await storage.open(`${prefix}a.pdf`);
      await put('a.pdf', replacement);
      expect((await buffer(content)).equals(old)).toBe(true);
      expect((await read('a.pdf')).equals(replacement)).toBe(true);
    });

    test('cannot be seen before it is complete', async () => {
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
    ])('whose content breaks off %s leaves nothing, and what was there before', async (_when, bytes) => {
      const before = randomBytes(100);
      await put('old.pdf', before);
      const failure = new Error('the sender went away');
      for (const name of ['old.pdf', 'new.pdf']) {
        const upload = beginUpload(name, bytes);
        upload.end(failure);
        await expect(upload.done).rejects.toBe(failure);
      }
      expect(await keys()).toEqual(['old.pdf']);
      expect(await read('old.pdf')).toEqual(before);
      expect(await openUploads()).toEqual([]);
    });

    test('that does not exist cannot be opened, and can be removed', async () => {
      await expect(storage.open(`${prefix}absent.pdf`)).rejects.toThrow(noSuchObject);
      await expect(storage.open(`${prefix}absent/absent.pdf`)).rejects.toThrow(noSuchObject);
      expect(await storage.has(`${prefix}absent.pdf`)).toBe(false);
      await storage.remove(`${prefix}absent.pdf`);
      await storage.remove(`${prefix}absent/absent.pdf`);
    });

    test('is removed, a second time without effect', async () => {
      await put('DOCUMENT/a.pdf', randomBytes(10));
      await put('DOCUMENT/b.pdf', randomBytes(10));
      for (let time = 0; time < 2; time += 1) await storage.remove(`${prefix}DOCUMENT/a.pdf`);
      expect(await keys()).toEqual(['DOCUMENT/b.pdf']);
    });
  });

  describe('a copy', () => {
    test('has the same content, replaces what was there, and stays without the original', async () => {
      const content = randomBytes(moreThanAPart);
      await put('DOCUMENT/a.pdf', content);
      await put('USER/a.pdf', randomBytes(10));
      await storage.copy(`${prefix}DOCUMENT/a.pdf`, `${prefix}USER/a.pdf`);
      expect(await keys()).toEqual(['DOCUMENT/a.pdf', 'USER/a.pdf']);
      await storage.remove(`${prefix}DOCUMENT/a.pdf`);
      expect((await read('USER/a.pdf')).equals(content)).toBe(true);
    });

    test('of nothing fails and leaves nothing', async () => {
      await expect(storage.copy(`${prefix}absent.pdf`, `${prefix}copy.pdf`)).rejects.toThrow(noSuchObject);
      expect(await keys()).toEqual([]);
      expect(await openUploads()).toEqual([]);
    });
  });

  describe('the list', () => {
    test('has the objects under the prefix in byte order of their keys, with their times', async () => {
      // A slash sorts behind a minus and before digits; capitals before small letters.
      const expected = ['A/z.pdf', 'a-b/x.pdf', 'a.pdf', 'a/B.pdf', 'a/b/c.pdf', 'a/b0.pdf', 'a0.pdf'];
      for (const name of expected.toReversed()) await put(name, randomBytes(1));
      expect(await keys()).toEqual(expected);
      for (const { modifiedAt } of (await pages(prefix)).flat()) expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
      const under = async (start: string) => (await pages(prefix + start)).flat().map(({ key }) => key.slice(prefix.length));
      expect(await under('a/')).toEqual(['a/B.pdf', 'a/b/c.pdf', 'a/b0.pdf']);
      expect(await under('a/b/c')).toEqual(['a/b/c.pdf']);
      expect(await under('b')).toEqual([]);
    });

    test('comes in pages', async () => {
      const names = Array.from({ length: 25 }, (_, index) => `${String(index).padStart(2, '0')}.pdf`);
      for (const name of names) await put(name, randomBytes(1));
      const found = (await pages(prefix, 10)).filter((page) => page.length > 0);
      expect(found.map((page) => page.length)).toEqual([10, 10, 5]);
      expect(found.flat().map(({ key }) => key.slice(prefix.length))).toEqual(names);
      expect((await pages(prefix, 25)).flat()).toHaveLength(25);
    });
  });

  test('uploads that were begun before a time are aborted, under the prefix alone', async () => {
    await put('DOCUMENT/a.pdf', randomBytes(10));
    const failure = new Error('given up');
    const uploads = ['DOCUMENT/b.pdf', 'USER/c.pdf'].map((name) => beginUpload(name));
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
    const first = async (found: AsyncIterable<unknown>) => {
      for await (const page of found) return page;
      return undefined;
    };
    test.each<[string, (broken: Storage) => Promise<unknown>]>([
      ['check', (broken) => broken.check()],
      ['put', (broken) => broken.put('DOCUMENT/a.pdf', pieces(randomBytes(10)), contentType)],
      ['put of several parts', (broken) => broken.put('DOCUMENT/a.pdf', pieces(randomBytes(2 * moreThanAPart)), contentType)],
      ['open', (broken) => broken.open('DOCUMENT/a.pdf')],
      ['copy', (broken) => broken.copy('DOCUMENT/a.pdf', 'USER/a.pdf')],
      ['remove', (broken) => broken.remove('DOCUMENT/a.pdf')],
      ['has', (broken) => broken.has('DOCUMENT/a.pdf')],
      ['list', (broken) => first(broken.list('DOCUMENT/', 1000))],
      ['abortUploads', (broken) => broken.abortUploads('DOCUMENT/', new Date())],
    ])('%s fails', async (_operation, work) => {
      await expect(work(subject.unusable[fault]!)).rejects.toThrow(message);
    });
  });
}
