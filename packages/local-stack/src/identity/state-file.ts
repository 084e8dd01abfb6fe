import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One JSON document, kept in a file when there is a data folder, else in memory alone. */
export class StateFile<T> {
  value: T;
  readonly #path: string | undefined;

  /** Reads `<dataDir>/<name>.json`, or begins with `initial` where there is none. Throws on a file that is no JSON. */
  constructor(dataDir: string | undefined, name: string, initial: T) {
    this.#path = dataDir === undefined ? undefined : join(dataDir, `${name}.json`);
    if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    this.value = this.#read() ?? initial;
  }

  /** Writes the value beside the file and renames it, so that a crash leaves the old or the new document, whole. */
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
