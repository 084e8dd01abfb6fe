import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { isKeySegment } from './keys.ts';

export interface FoundFile {
  key: string;
  path: string;
}

/** Returns the last segment of the key that a file belongs to; undefined to skip the file. */
type SegmentOf = (file: string) => string | undefined;

/**
 * Walks the folders and yields the files whose keys begin with the prefix, in byte order of the keys. Memory holds the names of one folder per level.
 * @param folder to begin at, relative to the root: empty or with a trailing slash
 */
export async function* walk(root: string, prefix: string, segmentOf: SegmentOf, folder = ''): AsyncGenerator<FoundFile> {
  for (const entry of await entriesOf(join(root, folder))) {
    if (entry.endsWith('/')) {
      const inner = folder + entry;
      if (inner.startsWith(prefix) || prefix.startsWith(inner)) yield* walk(root, prefix, segmentOf, inner);
      continue;
    }
    const segment = segmentOf(entry);
    if (segment !== undefined && (folder + segment).startsWith(prefix)) yield { key: folder + segment, path: join(root, folder, entry) };
  }
}

/** The names in a folder. Folders have a trailing slash, so that they sort like the keys in them. */
async function entriesOf(path: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of await opendir(path, { bufferSize: 1024 })) {
    if (entry.isFile()) names.push(entry.name);
    else if (entry.isDirectory() && isKeySegment(entry.name)) names.push(`${entry.name}/`);
  }
  // Sorts by UTF-16 units. The characters of keys are ASCII, so this is byte order.
  return names.toSorted();
}
