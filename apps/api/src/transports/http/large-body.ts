import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A body with more bytes is large. Copying so much to the operating system takes less than a millisecond. */
export const bytesPerTurn = 524_288;

/**
 * Writes the chunks of a large body, a part in each turn of the event loop, so that other requests are served between two parts. In one turn, a client that
 * reads fast would receive all of it: 60 MB take 20 ms.
 *
 * When the operating system has taken the whole response, the memory of the chunks is freed, and they are empty. The garbage collector would free it too, but
 * only in a collection of the whole heap, which delays all requests.
 * @param chunks a chunk that shares its memory with other buffers is not freed
 * @returns resolves when the last chunk is written and the response can be ended; rejects if the client disconnects
 */
export async function writeLargeBody(response: ServerResponse, chunks: readonly Buffer[]): Promise<void> {
  response.once('finish', () => {
    // A write of a connection that was closed may still be running.
    if (!response.req.socket.destroyed) chunks.forEach(free);
  });
  await pipeline(largeBodyParser(chunks), response, { end: false });
}

async function* largeBodyParser(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  let bytes = 0;
  for (const chunk of chunks) {
    yield chunk;
    bytes += chunk.length;
    if (bytes < bytesPerTurn) continue;
    bytes = 0;
    await nextTurn();
  }
}

function free({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
