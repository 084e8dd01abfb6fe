import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, openSync } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const bufferSize = 256 * 1024;

export interface Blob {
  id: string;
  /** In bytes. */
  size: number;
  /** In hex. */
  md5: string;
}

/** Contents as files under names of our own: no key ever becomes a path. Which object a file belongs to stands in the catalog. */
export class Blobs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes a new file. Leaves none when the content breaks off; throws what it threw. */
  async write(content: AsyncIterable<Buffer>): Promise<Blob> {
    const id = randomUUID();
    const md5 = createHash('md5');
    let size = 0;
    const measured = async function* () {
      for await (const piece of content) {
        md5.update(piece);
        size += piece.length;
        yield piece;
      }
    };
    await mkdir(dirname(this.#path(id)), { recursive: true });
    const file = await open(this.#path(id), 'wx');
    try {
      await pipeline(measured, file.createWriteStream({ highWaterMark: bufferSize }));
    } catch (error) {
      await this.remove([id]);
      throw error;
    }
    return { id, size, md5: md5.digest('hex') };
  }

  /** The contents of several files, one after the other, as one new file. */
  join(ids: string[]): Promise<Blob> {
    const contentOf = (id: string) => createReadStream(this.#path(id), { highWaterMark: bufferSize });
    return this.write(
      (async function* () {
        for (const id of ids) yield* contentOf(id) as AsyncIterable<Buffer>;
      })(),
    );
  }

  /** The bytes from `start` to `end`, both included. The file is open on return, so that a removal does not cut the stream off. */
  read(id: string, start: number, end: number): Readable {
    const path = this.#path(id);
    return createReadStream(path, { fd: openSync(path, 'r'), start, end, highWaterMark: bufferSize });
  }

  async remove(ids: string[]): Promise<void> {
    for (const id of ids) await rm(this.#path(id), { force: true });
  }

  /** Removes every file that is not in `known`: what was being written when an earlier process was killed. */
  async sweep(known: Set<string>): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const files = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    await this.remove(files.filter((file) => file.isFile() && !known.has(file.name)).map((file) => file.name));
  }

  #path(id: string): string {
    return join(this.#folder, id.slice(0, 2), id);
  }
}
