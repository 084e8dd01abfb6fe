import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, Server as NetServer } from 'node:net';

/**
 * How many sockets listen on the port. Node accepts one connection for each of them in a turn of the event loop. In an overloaded process a turn takes 10 to
 * 30 ms, so that one socket would accept fewer than 100 connections per second, and new clients and health checks would wait. With 16 sockets, 6,000 new
 * connections took 4.6 seconds; with 64, 2 seconds.
 */
const acceptorCount = 64;

/**
 * How many connections may wait to be accepted; the kernel may allow less (`net.core.somaxconn` on Linux). With Node's default of 511, the kernel ignores
 * connection attempts to an overloaded process, and clients repeat them after 1, 3, 7 and 15 seconds.
 */
const backlog = 4_096;

/** The further sockets of each server. */
const acceptorsOf = new WeakMap<Server, NetServer[]>();

/** Linux distributes connections among sockets with SO_REUSEPORT. In a cluster, the primary process accepts the connections. */
const canSharePort = process.platform === 'linux' && !cluster.isWorker;

/**
 * Starts listening on several sockets. Rejects when the port is in use.
 * @returns the port, which the system chooses for port 0
 */
export async function listenOnAll(server: Server, port: number, host: string): Promise<number> {
  if (!canSharePort) return start(server, { port, host, backlog });
  if (port !== 0) await assertFree(port, host);
  const chosen = await start(server, { port, host, backlog, reusePort: true });
  const acceptors = Array.from({ length: acceptorCount - 1 }, () => createServer({ allowHalfOpen: true, noDelay: true }));
  acceptorsOf.set(server, acceptors);
  for (const acceptor of acceptors) {
    acceptor.on('connection', (socket) => server.emit('connection', socket));
    await start(acceptor, { port: chosen, host, backlog, reusePort: true });
  }
  return chosen;
}

/** Stops accepting connections. Resolves when all connections have ended. Unlike `close` of an HTTP server, it closes no connection. */
export const stopAccepting = async (server: Server): Promise<void> => {
  const close = (each: NetServer) => new Promise<void>((resolve) => NetServer.prototype.close.call(each, () => resolve()));
  await Promise.all([server, ...(acceptorsOf.get(server) ?? [])].map(close));
};

/** Two services of one user could share a port with SO_REUSEPORT, and each would get some of the connections. */
async function assertFree(port: number, host: string): Promise<void> {
  const probe = createServer();
  await start(probe, { port, host });
  await new Promise((resolve) => probe.close(resolve));
}

/** Starts listening on one socket. */
export function start(server: NetServer, options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
