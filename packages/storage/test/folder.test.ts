import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderStorage } from '../src/folder/folder-storage.ts';
import { observeStorage } from '../src/observe-storage.ts';
import type { Storage } from '../src/storage.ts';
import { storedFiles } from '../../../test/storage/stored-files.ts';
import { storageContract } from './contract.ts';

const create = (folder: string) => observeStorage(createFolderStorage(folder, 1), () => undefined);
const newFolder = () => mkdtemp(join(tmpdir(), 'profile-service-folder-'));
const faults = {
  'a missing folder': /^The storage folder \S+ cannot be reached: ENOENT/,
  'a file instead of a folder': /^STORAGE_DIR is not a folder: correct the path\.$/,
};

const pieces = (...content: string[]) => Readable.from(content.map((piece) => Buffer.from(piece)));

describe('the contract', () => {
  storageContract(faults, async () => {
    const folder = await newFolder();
    const [root, file] = [join(folder, 'root'), join(folder, 'file')];
    await mkdir(root);
    await writeFile(file, '');
    return {
      storage: create(root),
      unusable: { 'a missing folder': create(join(folder, 'missing')), 'a file instead of a folder': create(file) },
      openUploads: () => storedFiles(root).openUploads(),
      stop: () => rm(folder, { recursive: true }),
    };
  });
});

describe('a folder', () => {
  let folder: string;
  let storage: Storage;
  beforeAll(async () => {
    folder = await newFolder();
    storage = create(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('stores each object in a file that other users cannot read', async () => {
    await storage.put('attachments/DOCUMENT/a.pdf', pieces('%PDF', '-1.7'), 'application/pdf');
    const path = join(folder, 'attachments', 'DOCUMENT', 'a.pdf');
    expect(await readFile(path, 'utf8')).toBe('%PDF-1.7');
    expect((await stat(path)).mode & 0o007).toBe(0);
    expect((await stat(join(folder, 'attachments'))).mode & 0o007).toBe(0);
  });

  const outside = ['../escaped.pdf', '..', 'a/../../escaped.pdf', '/etc/passwd'];
  const malformed = ['a//b.pdf', 'a/', '', '.hidden', 'a/.hidden.pdf', 'a\\b.pdf', 'a\0.pdf', 'a\n.pdf', 'São.pdf'];
  test.each([...outside, ...malformed])('rejects the key %j', async (key) => {
    await storage.put('here.pdf', pieces('%PDF'), 'application/pdf');
    for (const work of [
      () => storage.put(key, pieces('%PDF'), 'application/pdf'),
      () => storage.copy('here.pdf', key, { size: 4 }),
      () => storage.copy(key, 'there.pdf', { size: 4 }),
      () => storage.open(key),
      () => storage.has(key),
      () => storage.remove(key),
    ])
      await expect(work()).rejects.toThrow(/^Not a key of this storage/);
    expect(await storedFiles(folder).openUploads()).toEqual([]);
  });

  test('neither lists nor removes files of other programs', async () => {
    const foreign = ['foreign/.notes', 'foreign/.a.pdf.swp', 'foreign/lost+found/a.pdf', 'foreign/São.pdf'];
    for (const name of foreign) await storedFiles(folder).put(name);
    await storedFiles(folder).leaveUpload('foreign/a.pdf');
    const list = async () => (await Readable.from(storage.list('foreign/', 1000)).toArray()).flat() as unknown[];
    expect(await list()).toEqual([]);
    expect(await storage.abortUploads('', new Date(Date.now() + 60_000))).toBe(1);
    expect(await list()).toEqual([]);
    expect((await storedFiles(folder).keys()).filter((key) => key.startsWith('foreign/'))).toEqual(foreign.toSorted());
  });

  test('fails its check without space for the largest upload', async () => {
    await storage.check();
    const tooSmall = createFolderStorage(folder, Number.MAX_SAFE_INTEGER);
    await expect(tooSmall.check()).rejects.toThrow(
      /^The folder STORAGE_DIR has less free space than the largest upload \(\d+ MiB\): free disk space, or lower ATTACHMENT_MAX_BYTES\.$/,
    );
  });
});

/** Uploads a small, a large and a small file to the folder in its first argument, and prints the outcomes. */
const uploads = `
  import { createFolderStorage } from ${JSON.stringify(new URL('../src/folder/folder-storage.ts', import.meta.url).href)};
  const storage = createFolderStorage(process.argv[1], 1);
  async function* content(pieces) {
    for (let piece = 0; piece < pieces; piece += 1) yield Buffer.alloc(65_536);
  }
  const put = (name, pieces) => storage.put('DOCUMENT/' + name, content(pieces), 'application/pdf').then(() => 'stored', ({ message }) => message);
  const outcomes = [await put('small.pdf', 1), await put('large.pdf', 32), await put('other.pdf', 1)];
  for await (const page of storage.list('', 10)) outcomes.push(page.map(({ key }) => key));
  console.log(JSON.stringify([...outcomes, await storage.abortUploads('', new Date(Date.now() + 60_000))]));
`;
/** Limits the size of the files that the program writes: unlike a full disk, it needs no special rights. */
const withFileSizeLimit = 'ulimit -f 1024 && exec "$0" --input-type=module -e "$1" "$2"';

test('an upload that the disk cannot store fails and leaves no file', async () => {
  const folder = await newFolder();
  const { stdout } = await promisify(execFile)('sh', ['-c', withFileSizeLimit, process.execPath, uploads, folder]);
  const [small, large, other, keys, open] = JSON.parse(stdout) as unknown[];
  expect([small, other, keys, open]).toEqual(['stored', 'stored', ['DOCUMENT/other.pdf', 'DOCUMENT/small.pdf'], 0]);
  expect(large).toMatch(/^EFBIG: file too large/);
  await rm(folder, { recursive: true });
});
