import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { listen } from '../../../../test/listen.ts';

/** Returns the path of a file with a self-signed certificate and its key: for localhost, for localhost until 2021, or for other.example. */
export const pemFileOf = (name: 'localhost' | 'expired' | 'other-host') => fileURLToPath(new URL(`${name}.pem`, import.meta.url));

/** The first message of a PostgreSQL client that requires TLS: SSLRequest, a length of 8 and a code. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Starts a proxy for PostgreSQL that accepts only connections with TLS, as managed databases do. */
export async function startTlsProxy(databaseUrl: string, caFile = pemFileOf('localhost')) {
  const pem = readFileSync(caFile);
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client
      .on('error', () => undefined)
      .once('data', (first) => {
        if (!first.equals(sslRequest)) return void client.destroy();
        client.write('S');
        const secured = new TLSSocket(client, { isServer: true, key: pem, cert: pem });
        const upstream = connect(Number(target.port), target.hostname);
        for (const end of [secured, upstream]) end.on('error', () => undefined);
        secured.on('close', () => upstream.destroy()).pipe(upstream);
        upstream.on('close', () => secured.destroy()).pipe(secured);
      });
  });
  const port = await listen(server);
  const url = new URL(databaseUrl);
  url.hostname = 'localhost';
  url.port = String(port);
  return {
    url: url.href,
    /** Certificate authority of its certificate. */
    caFile,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}
