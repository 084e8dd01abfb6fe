import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import pg from 'pg';
import { listen } from './listen.ts';

export interface VersionProxy {
  /** The connection string, through the proxy. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts a proxy through which PostgreSQL reports another `server_version_num`, for example 140019. A version that the service rejects cannot be installed
 * beside the supported ones.
 */
export async function startVersionProxy(connectionString: string, version: number): Promise<VersionProxy> {
  const actual = await versionOf(connectionString);
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const replaceVersion = new Transform({
      transform: (chunk: Buffer, _encoding, done) =>
        done(null, Buffer.from(chunk.toString('latin1').replaceAll(actual, String(version)), 'latin1')),
    });
    client.pipe(upstream).pipe(replaceVersion).pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => sockets.delete(socket) && other.destroy());
    }
  });
  const port = await listen(server);
  const url = new URL(connectionString);
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function versionOf(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
    return rows[0]?.server_version_num ?? '';
  } finally {
    await client.end();
  }
}
