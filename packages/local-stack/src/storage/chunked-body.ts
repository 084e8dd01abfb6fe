import { StorageError } from './errors.ts';

const longestLine = 1024;

/**
 * Undoes the content encoding aws-chunked: `size-in-hex CRLF data CRLF … 0 CRLF trailer:value CRLF … CRLF`.
 * @param trailers is given the trailing headers, in lower case, before the generator ends
 * @throws StorageError IncompleteBody when the source ends too early or is not so encoded
 */
export async function* decodeChunked(source: AsyncIterator<Buffer>, trailers: Record<string, string>): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  try {
    for (let size = await chunkSize(reader); size > 0; size = await chunkSize(reader)) {
      yield* reader.take(size);
      if ((await reader.line()) !== '') throw malformed();
    }
    for (let line = await reader.line(); line !== ''; line = await reader.line()) {
      const [name = '', value = ''] = line.split(/:(.*)/s);
      trailers[name.trim().toLowerCase()] = value.trim();
    }
    await reader.finish();
  } finally {
    await source.return?.();
  }
}

async function chunkSize(reader: ByteReader): Promise<number> {
  const line = await reader.line();
  if (!/^[0-9a-f]{1,12}$/i.test(line)) throw malformed();
  return Number.parseInt(line, 16);
}

const malformed = () => new StorageError('IncompleteBody', 'The body is not complete, or not encoded as aws-chunked.');

/** Takes lines and counted bytes from a source of buffers. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #buffer = Buffer.alloc(0);

  constructor(source: AsyncIterator<Buffer>) {
    this.#source = source;
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#buffer.indexOf('\r\n');
      if (end >= 0) return this.#cut(end + 2).toString('latin1', 0, end);
      if (this.#buffer.length > longestLine) throw malformed();
      this.#buffer = Buffer.concat([this.#buffer, await this.#more()]);
    }
  }

  async *take(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      if (this.#buffer.length === 0) this.#buffer = await this.#more();
      const piece = this.#cut(Math.min(left, this.#buffer.length));
      left -= piece.length;
      yield piece;
    }
  }

  async finish(): Promise<void> {
    if (this.#buffer.length > 0 || !(await this.#source.next()).done) throw malformed();
  }

  #cut(length: number): Buffer<ArrayBuffer> {
    const piece = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    return piece;
  }

  async #more(): Promise<Buffer<ArrayBuffer>> {
    const next = await this.#source.next();
    if (next.done) throw malformed();
    return next.value as Buffer<ArrayBuffer>;
  }
}
