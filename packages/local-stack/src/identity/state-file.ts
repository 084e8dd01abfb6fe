import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A JSON document, stored in a file if there is a data folder, else only in memory. */
export class StateFile<T> {
  value: T;
  readonly #path: string | undefined;

  /** Reads `<dataDir>/<name>.json`, or starts with `initial` if the file does not exist. Throws if the file is not JSON. */
  constructor(dataDir: string | undefined, name: string, initial: T) {
    this.#path = dataDir === undefined ? undefined : join(dataDir, `${name}.json`);
    if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    this.value = this.#read() ?? initial;
  }

  /** Writes a temporary file and renames it, so that a crash leaves either the old or the new document. */
  save(): void {
    if (this.#path === undefined) return;
    const next = `${this.#path}.next`;
    writeFileSync(next, JSON.stringify(this.value, null, 1), { mode: 0o600 });
    renameSync(next, this.#path);
  }

  #read(): T | undefined {
    if (this.#path === undefined) return undefined;
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as T;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
