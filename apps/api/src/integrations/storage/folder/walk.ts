import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { isPartOfKey } from './keys.ts';

export interface FoundFile {
  key: string;
  path: string;
}

/** The last part of the key that a file of this name belongs to; undefined to skip the file. */
type NameOf = (file: string) => string | undefined;

/**
 * Finds the files whose keys begin with the prefix, in byte order of the keys. It holds the names of one folder at a time.
 * @param folder where to begin: the first part of a key with its slash, or nothing
 */
export async function* walk(root: string, prefix: string, nameOf: NameOf, folder = ''): AsyncGenerator<FoundFile> {
  for (const entry of await entriesOf(join(root, folder))) {
    if (entry.endsWith('/')) {
      const inner = folder + entry;
      if (inner.startsWith(prefix) || prefix.startsWith(inner)) yield* walk(root, prefix, nameOf, inner);
      continue;
    }
    const name = nameOf(entry);
    if (name !== undefined && (folder + name).startsWith(prefix)) yield { key: folder + name, path: join(root, folder, entry) };
  }
}

/** Names of files, and of folders with a slash: so they are sorted as the keys below them are. */
async function entriesOf(path: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of await opendir(path, { bufferSize: 1024 })) {
    if (entry.isFile()) names.push(entry.name);
    else if (entry.isDirectory() && isPartOfKey(entry.name)) names.push(`${entry.name}/`);
  }
  // By UTF-16 units, which for the letters of keys are bytes.
  return names.sort();
}
