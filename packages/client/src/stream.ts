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

/** Bytes between two progress reports. A Blob in memory arrives as one chunk, so chunks are split. */
const reportInterval = 64 * 1024;

/** Passes the bytes on, and reports how many have passed so far. */
export async function* reportProgress(chunks: AsyncIterable<Uint8Array>, onBytes: (loaded: number) => void): AsyncGenerator<Uint8Array> {
  let loaded = 0;
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += reportInterval) {
      const piece = chunk.subarray(start, start + reportInterval);
      loaded += piece.length;
      onBytes(loaded);
      yield piece;
    }
  }
}
