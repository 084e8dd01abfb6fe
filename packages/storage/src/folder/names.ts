import { opendir } from 'node:fs/promises';
import { isKeySegment } from './keys.ts';

/** How many names are kept at once, at the least. Up to twice as many take about 10 MiB, and sorting them 30 ms. */
const defaultBatchSize = 25_000;

/**
 * Yields the names of the files and folders in a folder, in byte order. Folders have a trailing slash, so that they sort like the keys in them. It reads a
 * folder with more names than two batches several times, so that memory does not grow with the number of files (D-174).
 */
export async function* sortedNames(path: string, batchSize = defaultBatchSize): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const { names, isLast } = await nextNames(path, after, batchSize);
    yield* names;
    if (isLast) return;
    after = names.at(-1) ?? after;
  }
}

/** Returns the names that follow `after`: all of them, or at least the first `batchSize`. */
async function nextNames(path: string, after: string, batchSize: number): Promise<{ names: string[]; isLast: boolean }> {
  let names: string[] = [];
  /** Names above it belong to a later batch. */
  let last: string | undefined;
  for await (const entry of await opendir(path, { bufferSize: 1024 })) {
    const name = entry.isFile() ? entry.name : entry.isDirectory() && isKeySegment(entry.name) ? `${entry.name}/` : undefined;
    if (name === undefined || name <= after || (last !== undefined && name > last)) continue;
    names.push(name);
    if (names.length < 2 * batchSize) continue;
    names = names.toSorted().slice(0, batchSize);
    last = names.at(-1);
  }
  // Sorts by UTF-16 units. The characters of keys are ASCII, so this is byte order.
  return { names: names.toSorted(), isLast: last === undefined };
}
