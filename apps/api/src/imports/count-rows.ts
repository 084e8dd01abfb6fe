import { hash } from 'node:crypto';
import { type ImportTypeName, maxImportRows, ProblemError } from '@profile-service/contracts';
import type { FileRow } from '@profile-service/record-files';
import { keysOf } from './dry-run.ts';

/** What the whole file says, before its first row is done. */
export interface FileSummary {
  rows: number;
  /** Whether several rows may have this key: one of 4,000 keys in a file of a million has the digest of another. Always false unless duplicates were looked for. */
  mayBeDuplicate(key: string): boolean;
}

/**
 * Reads a file to its end, so that a file with an error in its last line does nothing.
 * @param findDuplicates remembers 4 bytes for each key of a row
 * @throws INVALID_IMPORT_FILE for too many rows, and what reading throws
 */
export async function countRows(parts: AsyncIterable<FileRow[]>, type: ImportTypeName, findDuplicates: boolean): Promise<FileSummary> {
  let rows = 0;
  const digests = new Digests();
  for await (const part of parts) {
    rows += part.length;
    if (rows > maxImportRows) throw new ProblemError('INVALID_IMPORT_FILE', { detail: `The file has more than ${maxImportRows} rows.` });
    if (findDuplicates) for (const row of part) for (const key of keysOf(type, row)) digests.add(digestOf(key));
  }
  const duplicates = digests.duplicates();
  return { rows, mayBeDuplicate: (key) => duplicates.has(digestOf(key)) };
}

/** Digests of keys, in an array that grows. */
class Digests {
  #values = new Uint32Array(1024);
  #length = 0;

  add(digest: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Uint32Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = digest;
  }

  /** Sorts the digests. */
  duplicates(): ReadonlySet<number> {
    const digests = this.#values.subarray(0, this.#length);
    digests.sort();
    return new Set(digests.filter((digest, index) => index > 0 && digest === digests[index - 1]));
  }
}

/** The first 4 bytes of the hash. A hash as a text takes less memory than a buffer. */
const digestOf = (key: string): number => Number.parseInt(hash('sha256', key, 'hex').slice(0, 8), 16);
