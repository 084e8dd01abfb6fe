import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '@profile-service/storage';
import { z } from 'zod';
import { MissingFiles } from '../missing-files.ts';
import { BackupError } from './backup-error.ts';

/** How many files are copied at once. */
const concurrency = 8;
/** Attempts to copy a file, and the time between two of them in milliseconds. */
const [attempts, retryMs] = [3, 1_000];

/** A file that a record in the database names. */
export interface RecordedFile {
  id: string;
  key: string;
  size: number;
  contentType: string;
}

/** A line of the list of files. `missing`: at the time of the backup, the storage did not have the file, or had another number of bytes. */
const Entry = z.object({
  key: z.string(),
  size: z.int().nonnegative(),
  contentType: z.string(),
  sha256: z.hex().length(64).optional(),
  missing: z.literal(true).optional(),
});
type Entry = z.output<typeof Entry>;

export interface CopyReport {
  count: number;
  bytes: number;
  /** Attachments whose files the storage does not have, or not with the recorded size. Downloads of them fail. */
  missing: MissingFiles;
}

/**
 * Copies the files of the records into another storage, and writes the list of them, page by page.
 * @throws BackupError if a file cannot be copied
 */
export async function copyRecordedFiles(
  pages: AsyncIterable<RecordedFile[]>,
  { from, to, listPath, signal }: { from: Storage; to: Storage; listPath: string; signal: AbortSignal },
): Promise<CopyReport> {
  const report: CopyReport = { count: 0, bytes: 0, missing: new MissingFiles() };
  const list = await open(listPath, 'wx', 0o600);
  try {
    for await (const page of pages) {
      const entries = await concurrently(page, signal, async ({ id, key, size, contentType }): Promise<Entry> => {
        const sha256 = await copy(key, { from, to, size, contentType, signal });
        if (sha256 === undefined) report.missing.add(id);
        return { key, size, contentType, ...(sha256 === undefined ? { missing: true } : { sha256 }) };
      });
      const copied = entries.filter(({ missing }) => !missing);
      report.count += copied.length;
      report.bytes += copied.reduce((sum, { size }) => sum + size, 0);
      await list.write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    }
    await list.sync();
  } finally {
    await list.close();
  }
  return report;
}

/**
 * Copies the files of a list into another storage.
 * @returns their number
 * @throws BackupError if a file has another size or hash than the list says. The other storage does not have it then.
 */
export async function copyListedFiles(
  listPath: string,
  { from, to, signal }: { from: Storage; to: Storage; signal: AbortSignal },
): Promise<number> {
  let count = 0;
  let page: Entry[] = [];
  const flush = async () => {
    const entries = page.filter(({ missing }) => !missing);
    await concurrently(entries, signal, async ({ key, size, contentType, sha256 }) => {
      const found = await copy(key, { from, to, size, contentType, sha256, signal });
      if (found === undefined)
        throw new BackupError(`The backup is damaged: it does not have the file ${key}, or has it with another size or hash`);
    });
    count += entries.length;
    page = [];
  };
  for await (const line of createInterface(createReadStream(listPath))) {
    page.push(Entry.parse(JSON.parse(line)));
    if (page.length === 100) await flush();
  }
  await flush();
  return count;
}

interface CopyOptions {
  from: Storage;
  to: Storage;
  size: number;
  contentType: string;
  /** The expected hash. */
  sha256?: string | undefined;
  signal: AbortSignal;
}

/** The content has another size or hash than expected. */
class DamagedFileError extends Error {}

/** Copies a file, and compares its size and its hash before the copy becomes visible. @returns its hash; undefined if the storage does not have it undamaged */
async function copy(key: string, options: CopyOptions): Promise<string | undefined> {
  const { from, to, contentType, signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    const hash = createHash('sha256');
    try {
      await to.put(key, checked(key, hash, options), contentType);
      return hash.digest('hex');
    } catch (error) {
      if (error instanceof DamagedFileError || !(await from.has(key))) return undefined;
      if (attempt === attempts) throw new BackupError(`The file ${key} cannot be copied: ${String(error)}`, { cause: error });
      await pause(retryMs, undefined, { signal });
    }
  }
}

/** Yields the content of the file. Throws at its end if it differs from what is expected. */
async function* checked(key: string, hash: ReturnType<typeof createHash>, { from, size, sha256 }: CopyOptions): AsyncGenerator<Uint8Array> {
  const { content } = await from.open(key);
  let bytes = 0;
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    hash.update(chunk);
    yield chunk;
  }
  if (bytes !== size) throw new DamagedFileError(`The file ${key} has ${bytes} bytes instead of ${size}`);
  if (sha256 !== undefined && hash.copy().digest('hex') !== sha256) throw new DamagedFileError(`The file ${key} has another hash`);
}

/** Runs the work for all items, a few at once, and returns the results in their order. After a failure it begins no further item. */
async function concurrently<T, R>(items: readonly T[], signal: AbortSignal, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const pending = items.entries();
  let hasFailed = false;
  const worker = async () => {
    for (const [index, item] of pending) {
      if (hasFailed) return;
      signal.throwIfAborted();
      results[index] = await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
  return results;
}
