import { setTimeout as pause } from 'node:timers/promises';
import type { DB } from '@profile-service/db';
import type { Storage } from '@profile-service/storage';
import type { Kysely } from 'kysely';
import { MissingFiles } from '../missing-files.ts';
import { whileNoBackupRuns } from './while-no-backup-runs.ts';

/** Grace period in milliseconds. A younger object may belong to an upload that has no record yet: no upload takes longer (ATTACHMENTS-8, D-52). */
const graceMs = 60 * 60_000;

/**
 * Time in milliseconds between finding an old object without a record and deleting it. If the clock of the service is wrong, the object may belong to a running
 * upload: then its record appears within this time.
 */
const defaultSecondLookMs = 2 * 60_000;
/** Maximum number of old objects without a record that one run remembers and deletes. The next run deletes the others. */
const defaultMaxUnknown = 10_000;

/** The key of an attachment without the base path: `{entityType}/{uuid}.{ext}`. Other objects do not belong to this service and are not deleted. */
const attachmentKey = /^[A-Z]+\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.[a-z]+$/;

export interface CleanupReport {
  /** Number of objects that were deleted because they had no live record. */
  removed: number;
  /** Number of incomplete uploads that were deleted. */
  aborted: number;
  /** Live attachments without an object. Another program has deleted it, and only a backup can restore it. */
  missing: MissingFiles;
}

export interface CleanupOptions {
  db: Kysely<DB>;
  storage: Storage;
  /** Prefix of every key, without a slash at its begin and end. */
  basePath: string;
  /** Number of objects and records per page; default 1000, the maximum of S3. */
  pageSize?: number;
  /** Maximum number of objects without a record that the run deletes; default 10,000. */
  maxUnknown?: number;
  now?: Date;
  /** Time before objects without a record are deleted, in milliseconds; default 2 minutes. */
  secondLookMs?: number;
  signal?: AbortSignal;
  /** Called when the removal of objects begins to wait for the end of a backup. */
  onPause?: () => void;
}

/**
 * Compares the objects under the base path with the records, page by page. It deletes objects without a record that are older than one hour, and objects of
 * deleted records at any age. Objects without a record are looked up again after `secondLookMs`. While a backup runs, it deletes no objects and waits. It reports
 * records without an object. It can be aborted and repeated at any point.
 * @throws the error of the storage or the database
 */
export async function cleanStorage({
  db,
  storage,
  basePath,
  pageSize = 1000,
  maxUnknown = defaultMaxUnknown,
  now = new Date(),
  secondLookMs = defaultSecondLookMs,
  signal,
  onPause,
}: CleanupOptions): Promise<CleanupReport> {
  const prefix = `${basePath}/`;
  const before = new Date(now.getTime() - graceMs);
  const report: CleanupReport = { removed: 0, aborted: await storage.abortUploads(prefix, before), missing: new MissingFiles() };
  const remove = async (keys: readonly string[]) => {
    if (keys.length === 0) return;
    await whileNoBackupRuns(db, { onPause, signal }, async () => {
      for (const key of keys) {
        await storage.remove(key);
        report.removed += 1;
      }
    });
  };
  const unknown: string[] = [];
  let after = prefix;
  for await (const objects of storage.list(prefix, pageSize)) {
    signal?.throwIfAborted();
    const last = objects.at(-1)?.key ?? after;
    const candidates = objects.filter(({ key }) => attachmentKey.test(key.slice(prefix.length)));
    const deletedAt = await findRecords(
      db,
      candidates.map(({ key }) => key),
    );
    // `deletedAt` is null for a live record.
    await remove(candidates.filter(({ key }) => deletedAt.get(key)).map(({ key }) => key));
    const found = candidates.filter(({ key, modifiedAt }) => !deletedAt.has(key) && modifiedAt < before).map(({ key }) => key);
    unknown.push(...found.slice(0, maxUnknown - unknown.length));
    await findMissing({ db, storage, pageSize, missing: report.missing }, after, last, new Set(objects.map(({ key }) => key)));
    after = last;
  }
  await findMissing({ db, storage, pageSize, missing: report.missing }, after, `${prefix}\u{10ffff}`, new Set());
  if (unknown.length > 0) await pause(secondLookMs, undefined, { signal });
  for (let from = 0; from < unknown.length; from += pageSize) {
    const keys = unknown.slice(from, from + pageSize);
    const records = await findRecords(db, keys);
    await remove(keys.filter((key) => !records.has(key)));
  }
  return report;
}

/** Returns the time of deletion of each key that has a record; null if the record is live. */
async function findRecords(db: Kysely<DB>, keys: readonly string[]): Promise<Map<string, Date | string | null>> {
  const records = await db
    .selectFrom('attachments')
    .select(['filePath', 'deletedAt'])
    .where((eb) => eb('filePath', '=', eb.fn.any(eb.val(keys))))
    .execute();
  return new Map(records.map((record) => [record.filePath, record.deletedAt]));
}

/**
 * Adds the live attachments without an object to `missing`, for keys after `after` and up to `last`. The storage and the column sort keys in the same byte order,
 * so these are the records of one page of objects.
 * @param known keys of the objects on that page
 */
async function findMissing(
  { db, storage, pageSize, missing }: Required<Pick<CleanupOptions, 'db' | 'storage' | 'pageSize'>> & Pick<CleanupReport, 'missing'>,
  after: string,
  last: string,
  known: ReadonlySet<string>,
): Promise<void> {
  const live = db.selectFrom('attachments').select(['id', 'filePath']).where('deletedAt', 'is', null);
  for (let from = after; ;) {
    const records = await live.where('filePath', '>', from).where('filePath', '<=', last).orderBy('filePath').limit(pageSize).execute();
    for (const { id, filePath } of records) {
      if (known.has(filePath) || (await storage.has(filePath))) continue;
      // The attachment may have been deleted meanwhile, together with its object.
      if (await live.where('id', '=', id).executeTakeFirst()) missing.add(id);
    }
    const next = records.at(-1)?.filePath;
    if (next === undefined || records.length < pageSize) return;
    from = next;
  }
}
