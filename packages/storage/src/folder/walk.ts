import { join } from 'node:path';
import { sortedNames } from './names.ts';

export interface FoundFile {
  key: string;
  path: string;
}

/** Returns the last segment of the key that a file belongs to; undefined to skip the file. */
type SegmentOf = (file: string) => string | undefined;

/**
 * Walks the folders and yields the files whose keys begin with the prefix, in byte order of the keys. Memory holds a batch of names per level.
 * @param folder to begin at, relative to the root: empty or with a trailing slash
 */
export async function* walk(root: string, prefix: string, segmentOf: SegmentOf, folder = ''): AsyncGenerator<FoundFile> {
  for await (const entry of sortedNames(join(root, folder))) {
    if (entry.endsWith('/')) {
      const inner = folder + entry;
      if (inner.startsWith(prefix) || prefix.startsWith(inner)) yield* walk(root, prefix, segmentOf, inner);
      continue;
    }
    const segment = segmentOf(entry);
    if (segment !== undefined && (folder + segment).startsWith(prefix)) yield { key: folder + segment, path: join(root, folder, entry) };
  }
}
