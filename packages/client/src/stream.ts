import { toProfileError } from './error-from.ts';

/** A source that is read once, and that can be ended before its end. */
export interface Source {
  chunks: AsyncIterable<Uint8Array>;
  /** Ends the source. A Node stream closes its file. */
  end(): Promise<void>;
}

/** Prepares a stream of the caller for reading. */
export function openSource(source: AsyncIterable<Uint8Array> & { destroy?: () => unknown }): Source {
  const iterator = source[Symbol.asyncIterator]();
  return {
    chunks: { [Symbol.asyncIterator]: () => iterator },
    async end() {
      // `return` does not end a Node stream that nobody has read from.
      if (source.destroy) source.destroy();
      else await iterator.return?.();
    },
  };
}

/** Converts chunks to a stream that `fetch` accepts as a body. */
export function toStream(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await iterator.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Iterates over the chunks of a stream. Streams are not iterable in every browser. */
export async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

/** Most bytes between two progress reports. A Blob in memory arrives as one chunk, so chunks are split. */
const reportInterval = 64 * 1024;

/** Passes the bytes on, and reports how many have passed so far. @throws ProfileError with CLIENT_ERROR if `onBytes` throws */
export async function* reportProgress(chunks: AsyncIterable<Uint8Array>, onBytes: (loaded: number) => void): AsyncGenerator<Uint8Array> {
  let loaded = 0;
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += reportInterval) {
      const piece = chunk.subarray(start, start + reportInterval);
      loaded += piece.length;
      try {
        onBytes(loaded);
      } catch (error) {
        throw toProfileError(error);
      }
      yield piece;
    }
  }
}
