import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** How long running requests may take after the service has received a stop signal, in milliseconds. */
const drainMs = 7_000;

/** How long an idle connection stays open for one more request, in milliseconds. */
const defaultIdleMs = 1_000;

/** How often a draining server closes idle connections, in milliseconds. */
const checkMs = 50;

/**
 * Stops accepting connections and waits up to 7 s for running requests. Each connection is closed after its next response, which says
 * `Connection: close`. Idle connections are closed after a second: a client may be sending a request on one, and a reset would lose it.
 * @param idleMs replaces the second, in milliseconds
 */
export async function drain(server: Server, idleMs = defaultIdleMs): Promise<void> {
  if (!server.listening) return;
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  // `close` of an HTTP server would close idle connections at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const idleSince = performance.now();
  const idle = setInterval(() => performance.now() - idleSince >= idleMs && server.closeIdleConnections(), checkMs);
  const limit = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
  // Ends the server's own timer, which checks its time limits.
  server.close();
}
