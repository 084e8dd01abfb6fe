/** The chunks as a stream that fetch takes. */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
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

/** The chunks of a stream; not every browser's can be iterated. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

/** Bytes after which progress is told of: a Blob in memory comes in one chunk. */
const pieceSize = 64 * 1024;

/** The same bytes in pieces, each told of with the bytes so far. */
export async function* counted(chunks: AsyncIterable<Uint8Array>, onBytes: (loaded: number) => void): AsyncGenerator<Uint8Array> {
  let loaded = 0;
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += pieceSize) {
      const piece = chunk.subarray(start, start + pieceSize);
      loaded += piece.length;
      onBytes(loaded);
      yield piece;
    }
  }
}
