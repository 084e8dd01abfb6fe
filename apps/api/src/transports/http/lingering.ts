import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a client may keep sending after it has its response, in milliseconds. */
const lingerMs = 10_000;

/**
 * Sends the rest of a response whose request is still arriving, and ends it when the request has arrived. If the server closed the connection while the
 * client sends, the client would see a reset instead of the response (RFC 9112, 9.6). What arrives is thrown away.
 * @param rest of the body; the client can read it before the response ends
 */
export function endAfterRequest(request: IncomingMessage, response: ServerResponse, rest: string | Buffer): void {
  if (rest.length > 0) response.write(rest);
  else response.flushHeaders();
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(() => request.socket.destroy(), lingerMs);
  // `close` fires once; a request that is closed already has nothing to wait for.
  if (request.closed) return end();
  request.once('close', end).resume();
}
