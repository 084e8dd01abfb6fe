import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a client may keep sending after it has its response, in milliseconds. */
const lingerMs = 10_000;

/**
 * Sends the last part of a response whose request is still arriving, and ends the response when the whole request has arrived (lingering close).
 * If the server closed the connection earlier, the client would see a reset instead of the response (RFC 9112, 9.6). The rest of the request is discarded.
 * @param rest of the response body; the client can read it before the response ends
 */
export function endAfterRequest(request: IncomingMessage, response: ServerResponse, rest: string | Buffer): void {
  if (rest.length > 0) response.write(rest);
  // Without a body, or for HEAD, `write` sends no headers.
  response.flushHeaders();
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(() => request.socket.destroy(), lingerMs);
  // `close` fires once; do not wait for it on a closed request.
  if (request.closed) return end();
  request.once('close', end).resume();
}
