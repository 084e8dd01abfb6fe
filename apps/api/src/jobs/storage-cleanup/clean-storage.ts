import type { DB } from '@profile-service/db';
import type { Kysely } from 'kysely';
import type { Storage, StoredObject } from '../../integrations/storage/storage.ts';
import { whileNoBackupRuns } from './while-no-backup-runs.ts';

/** Grace period in milliseconds. A younger object may belong to an upload that has no record yet: no upload takes longer (ATTACHMENTS-8, D-52). */
const graceMs = 60 * 60_000;

/** The key of an attachment without the base path: `{entityType}/{uuid}.{ext}`. Other objects do not belong to this service and are not deleted. */
const attachmentKey = /^[A-Z]+\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.[a-z]+$/;

export interface CleanupReport {
  /** Number of objects that were deleted because they had no live record. */
  removed: number;
  /** Number of incomplete uploads that were deleted. */
  aborted: number;
  /** Ids of live attachments without an object. Another program has deleted it, and only a backup can restore it. */
  missing: string[];
}

export interface CleanupOptions {
  db: Kysely<DB>;
  storage: Storage;
  /** Prefix of every key, without a slash at its begin and end. */
  basePath: string;
  /** Number of objects and records per page; default 1000, the maximum of S3. */
  pageSize?: number;
  now?: Date;
  signal?: AbortSignal;
  /** Called when the removal of objects begins to wait for the end of a backup. */
  onPause?: () => void;
}

/**
 * Compares the objects under the base path with the records, page by page. It deletes objects without a record that are older than one hour, and objects of
 * deleted records at any age. While a backup runs, it deletes no objects and waits. It reports records without an object. It can be aborted and repeated at
 * any point.
 * @throws the error of the storage or the database
 */
export async function cleanStorage({
  db,
  storage,
  basePath,
  pageSize = 1000,
  now = new Date(),
  signal,
  onPause,
}: CleanupOptions): Promise<CleanupReport> {
  const prefix = `${basePath}/`;
  const before = new Date(now.getTime() - graceMs);
  const report: CleanupReport = { removed: 0, aborted: await storage.abortUploads(prefix, before), missing: [] };
  let after = prefix;
  for await (const objects of storage.list(prefix, pageSize)) {
    signal?.throwIfAborted();
    const last = objects.at(-1)?.key ?? after;
    const orphans = await findOrphans(db, objects, before, prefix);
    if (orphans.length > 0) {
      await whileNoBackupRuns(db, { onPause, signal }, async () => {
        for (const { key } of orphans) {
          await storage.remove(key);
          report.removed += 1;
        }
      });
    }
    report.missing.push(...(await findMissing({ db, storage, pageSize }, after, last, new Set(objects.map(({ key }) => key)))));
    after = last;
  }
  report.missing.push(...(await findMissing({ db, storage, pageSize }, after, `${prefix}\u{10ffff}`, new Set())));
  return report;
}

/** Returns the objects to delete: those of deleted records, and old ones without a record. */
async function findOrphans(db: Kysely<DB>, objects: StoredObject[], before: Date, prefix: string): Promise<StoredObject[]> {
  const candidates = objects.filter(({ key }) => attachmentKey.test(key.slice(prefix.length)));
  const keys = candidates.map(({ key }) => key);
  const records = await db
    .selectFrom('attachments')
    .select(['filePath', 'deletedAt'])
    .where((eb) => eb('filePath', '=', eb.fn.any(eb.val(keys))))
    .execute();
  const deletedAt = new Map(records.map((record) => [record.filePath, record.deletedAt]));
  // `deletedAt` is null for a live record.
  return candidates.filter(({ key, modifiedAt }) => (deletedAt.has(key) ? deletedAt.get(key) !== null : modifiedAt < before));
}

/**
 * Returns the ids of live attachments without an object, for keys after `after` and up to `last`. The storage and the column sort keys in the same byte order,
 * so these are the records of one page of objects.
 * @param known keys of the objects on that page
 */
async function findMissing(
  { db, storage, pageSize }: Required<Pick<CleanupOptions, 'db' | 'storage' | 'pageSize'>>,
  after: string,
  last: string,
  known: ReadonlySet<string>,
): Promise<string[]> {
  const live = db.selectFrom('attachments').select(['id', 'filePath']).where('deletedAt', 'is', null);
  const missing: string[] = [];
  for (let from = after; ;) {
    const records = await live.where('filePath', '>', from).where('filePath', '<=', last).orderBy('filePath').limit(pageSize).execute();
    for (const { id, filePath } of records) {
      if (known.has(filePath) || (await storage.has(filePath))) continue;
      // The attachment may have been deleted meanwhile, together with its object.
      if (await live.where('id', '=', id).executeTakeFirst()) missing.push(id);
    }
    const next = records.at(-1)?.filePath;
    if (next === undefined || records.length < pageSize) return missing;
    from = next;
  }
}
