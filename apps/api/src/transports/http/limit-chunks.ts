import { IncomingMessage } from 'node:http';

/** How many chunks a body may have, of any size. */
const maxSmallChunks = 1_000;
/** How many bytes of a body allow a further chunk. */
const bytesPerChunk = 64;

/**
 * Limits the number of chunks in a body with Transfer-Encoding. Node takes up to 2 µs for each: without a limit, 1 MB of chunks of one byte would take 0.3 s of CPU
 * time, also while the service only discards them. Counts in `push`, which Node calls for each chunk, whatever reads the body.
 * @param onExceeded called for each chunk over the limit, which is not passed on
 */
export function limitChunks(request: IncomingMessage, onExceeded: (error: Error) => void): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  let chunks = 0;
  let bytes = 0;
  request.push = (chunk: Buffer | null) => {
    if (chunk) {
      chunks += 1;
      bytes += chunk.length;
      if (chunks > maxSmallChunks + bytes / bytesPerChunk) {
        if (!request.socket.destroyed) onExceeded(new Error('The body has too many small chunks'));
        return false;
      }
    }
    return IncomingMessage.prototype.push.call(request, chunk);
  };
}
