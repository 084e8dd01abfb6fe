import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { backendKeyOf } from './backend-client.ts';

/** Timeout of a cancel request in milliseconds. */
const timeoutMs = 2_000;

/** The members of pg's connection that a cancel request needs. pg's types lack `connect` and `cancel`. */
interface CancelConnection extends EventEmitter, Pick<pg.Connection, 'stream'> {
  connect(port: number | string, host?: string): void;
  cancel(processID: number, secretKey: number): void;
}

/**
 * Asks PostgreSQL to cancel the statement that the client's backend runs. The protocol requires a new connection for it.
 * Resolves when the server closes that connection: by then it has signalled the backend. Never rejects: if it fails, the statement runs to its time limit.
 */
export function sendCancelRequest(client: pg.Client): Promise<void> {
  const { host, port, ssl } = client;
  const { processID, secretKey } = backendKeyOf(client);
  const connection = new pg.Connection({ ssl }) as unknown as CancelConnection;
  return new Promise((resolve) => {
    const timer = setTimeout(() => connection.stream.destroy(), timeoutMs);
    connection.on('error', () => connection.stream.destroy());
    connection.once('end', () => {
      clearTimeout(timer);
      resolve();
    });
    connection.once(ssl ? 'sslconnect' : 'connect', () => connection.cancel(processID, secretKey));
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
