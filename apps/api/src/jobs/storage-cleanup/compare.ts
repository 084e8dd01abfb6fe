import { type HandlerDatabase, unscoped } from '@profile-service/db';
import type { Storage, StoredObject } from '../../integrations/storage/storage.ts';

/** An object this young may belong to an upload whose record is still to come. Longer than any upload takes. */
const graceMs = 60 * 60_000;

/** `{entityType}/{uuid}.{ext}`, as behind the base path. What has another shape was not put there by this service and is left alone. */
const shape = /^[A-Z]+\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.[a-z]+$/;

export interface CleaningReport {
  /** Objects that were removed since they had no live record. */
  removed: number;
  /** Multipart uploads that a crash had left open. */
  aborted: number;
  /** Ids of live attachments that have no object: somebody else removed it, and only a backup brings it back. */
  missing: string[];
}

export interface CleaningOptions {
  db: HandlerDatabase;
  storage: Storage;
  /** First part of every key, without slashes around it. */
  basePath: string;
  /** Objects and records that are looked at at a time: 1000 unless told, which is the most that a storage lists. */
  pageSize?: number;
  now?: Date;
  signal?: AbortSignal;
}

/**
 * Compares the objects under the base path with the records, a page of each at a time: removes the objects without a live record once they are an
 * hour old, those of deleted records at once, and finds the records without an object. Can be repeated and broken off at any point.
 * @throws the storage's or the database's failure
 */
export async function cleanStorage({
  db,
  storage,
  basePath,
  pageSize = 1000,
  now = new Date(),
  signal,
}: CleaningOptions): Promise<CleaningReport> {
  const prefix = `${basePath}/`;
  const before = new Date(now.getTime() - graceMs);
  const report: CleaningReport = { removed: 0, aborted: await storage.abortUploads(prefix, before), missing: [] };
  let after = prefix;
  for await (const objects of storage.list(prefix, pageSize)) {
    signal?.throwIfAborted();
    const last = objects.at(-1)?.key ?? after;
    for (const { key } of await findForgotten(db, objects, before, prefix)) {
      await storage.remove(key);
      report.removed += 1;
    }
    report.missing.push(...(await findMissing({ db, storage, pageSize }, after, last, new Set(objects.map(({ key }) => key)))));
    after = last;
  }
  report.missing.push(...(await findMissing({ db, storage, pageSize }, after, `${prefix}\u{10ffff}`, new Set())));
  return report;
}

async function findForgotten(db: HandlerDatabase, objects: StoredObject[], before: Date, prefix: string): Promise<StoredObject[]> {
  const own = objects.filter(({ key }) => shape.test(key.slice(prefix.length)));
  const keys = own.map(({ key }) => key);
  const records = await unscoped(db, 'cleans the storage')
    .selectFrom('attachments')
    .select(['filePath', 'deletedAt'])
    .where((eb) => eb('filePath', '=', eb.fn.any(eb.val(keys))))
    .execute();
  const deletedAt = new Map(records.map((record) => [record.filePath, record.deletedAt]));
  // null: a live record; undefined: none.
  return own.filter(({ key, modifiedAt }) => (deletedAt.has(key) ? deletedAt.get(key) !== null : modifiedAt < before));
}

/** The storage lists keys in the order of their bytes, as the column is sorted: the records from one key to another are those of one page. */
async function findMissing(
  { db, storage, pageSize }: Required<Pick<CleaningOptions, 'db' | 'storage' | 'pageSize'>>,
  after: string,
  last: string,
  known: ReadonlySet<string>,
): Promise<string[]> {
  const live = unscoped(db, 'cleans the storage').selectFrom('attachments').select(['id', 'filePath']).where('deletedAt', 'is', null);
  const missing: string[] = [];
  for (let from = after; ;) {
    const records = await live.where('filePath', '>', from).where('filePath', '<=', last).orderBy('filePath').limit(pageSize).execute();
    for (const { id, filePath } of records) {
      if (known.has(filePath) || (await storage.has(filePath))) continue;
      // It may have been deleted meanwhile, with its object.
      if (await live.where('id', '=', id).executeTakeFirst()) missing.push(id);
    }
    const next = records.at(-1)?.filePath;
    if (next === undefined || records.length < pageSize) return missing;
    from = next;
  }
}
