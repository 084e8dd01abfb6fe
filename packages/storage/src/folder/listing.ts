import { rm, stat } from 'node:fs/promises';
import type { StoredObject } from '../storage.ts';
import { objectNameOf } from './atomic-write.ts';
import { isMissing } from './errors.ts';
import { isKeySegment } from './keys.ts';
import { requireRoot } from './root.ts';
import { type FoundFile, walk } from './walk.ts';

/** The page size limit of S3. */
const maxPageSize = 1000;

/** The last segment of an object's key; undefined for files that are no objects. */
const keySegmentOf = (file: string) => (isKeySegment(file) ? file : undefined);

/** Lists the objects under the prefix in byte order of their keys, in pages. Throws if the root is missing. */
export async function* listObjects(root: string, prefix: string, pageSize: number): AsyncGenerator<StoredObject[]> {
  await requireRoot(root);
  let page: FoundFile[] = [];
  for await (const file of walk(root, prefix, keySegmentOf)) {
    page.push(file);
    if (page.length < Math.min(pageSize, maxPageSize)) continue;
    yield await withTimes(page);
    page = [];
  }
  if (page.length > 0) yield await withTimes(page);
}

/** Deletes the temporary files under the prefix that were last written before the date. @returns their number */
export async function abortUploads(root: string, prefix: string, before: Date): Promise<number> {
  let removed = 0;
  for await (const { path } of walk(root, prefix, objectNameOf)) {
    const modifiedAt = await modificationTime(path);
    if (modifiedAt === undefined || modifiedAt >= before) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

async function withTimes(files: FoundFile[]): Promise<StoredObject[]> {
  const objects = await Promise.all(files.map(async ({ key, path }) => ({ key, modifiedAt: await modificationTime(path) })));
  return objects.flatMap(({ key, modifiedAt }) => (modifiedAt ? [{ key, modifiedAt }] : []));
}

/** undefined if the file was deleted meanwhile. */
const modificationTime = (path: string): Promise<Date | undefined> =>
  stat(path).then(
    ({ mtime }) => mtime,
    (error: unknown) => (isMissing(error) ? undefined : Promise.reject(error as Error)),
  );
