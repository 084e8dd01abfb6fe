import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { responseOn } from './parse-errors.ts';

export interface DrainOptions {
  /** How long running requests may take, in milliseconds. */
  drainMs: number;
  /** How long an idle connection stays open for one more request, in milliseconds; default 1,000. */
  idleMs?: number | undefined;
}

/** How often a draining server closes idle connections, in milliseconds. */
const checkMs = 50;

/** The open connections of each server. */
const connectionsOf = new WeakMap<Server, Set<Socket>>();

/** Keeps a list of the server's connections, which `drain` needs. This costs nothing per request. */
export function trackConnections(server: Server): void {
  const connections = new Set<Socket>();
  connectionsOf.set(server, connections);
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
}

/**
 * Stops accepting connections and waits up to `drainMs` for running requests. Each connection is closed after its next response, which says
 * `Connection: close`. Idle connections are closed after `idleMs`: a client may be sending a request on one, and a reset would lose it.
 * A response whose headers were sent before cannot say so: `idleMs` begins again when it ends.
 * @param server with `trackConnections`
 */
export async function drain(server: Server, { drainMs, idleMs = 1_000 }: DrainOptions): Promise<void> {
  if (!server.listening) return;
  const connections = connectionsOf.get(server) ?? [];
  let idleSince = performance.now();
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  for (const response of [...connections].map(responseOn)) {
    if (response?.headersSent) response.once('close', () => (idleSince = performance.now()));
    else response?.setHeader('connection', 'close');
  }
  // `close` of an HTTP server would close idle connections at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const idle = setInterval(() => {
    if (performance.now() - idleSince < idleMs) return;
    server.closeIdleConnections();
    // Node does not count a connection as idle before its first request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }, checkMs);
  const limit = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
  // Ends the server's own timer, which checks its time limits.
  server.close();
}
