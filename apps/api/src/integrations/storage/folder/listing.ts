import { rm, stat } from 'node:fs/promises';
import type { StoredObject } from '../storage.ts';
import { nameBehind } from './atomic-write.ts';
import { isMissing } from './errors.ts';
import { isPartOfKey } from './keys.ts';
import { requireRoot } from './root.ts';
import { type FoundFile, walk } from './walk.ts';

/** As many as S3 lists at once. */
const largestPage = 1000;

const nameOfObject = (file: string) => (isPartOfKey(file) ? file : undefined);

/** The objects under the prefix, in byte order of their keys, in pages. Throws when the root is missing. */
export async function* listObjects(root: string, prefix: string, pageSize: number): AsyncGenerator<StoredObject[]> {
  await requireRoot(root);
  let page: FoundFile[] = [];
  for await (const file of walk(root, prefix, nameOfObject)) {
    page.push(file);
    if (page.length < Math.min(pageSize, largestPage)) continue;
    yield await withTimes(page);
    page = [];
  }
  if (page.length > 0) yield await withTimes(page);
}

/** Removes the temporary files under the prefix that were last written before then. @returns how many */
export async function abortUploads(root: string, prefix: string, before: Date): Promise<number> {
  let removed = 0;
  for await (const { path } of walk(root, prefix, nameBehind)) {
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

/** undefined where the file was removed meanwhile. */
const modificationTime = (path: string): Promise<Date | undefined> =>
  stat(path).then(
    ({ mtime }) => mtime,
    (error: unknown) => (isMissing(error) ? undefined : Promise.reject(error as Error)),
  );
