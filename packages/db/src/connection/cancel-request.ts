import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';

/** Timeout of a cancel request in milliseconds. */
const timeoutMs = 2_000;

/** The members of pg's client and connection that a cancel request needs. pg's types lack them. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | object;
  readonly processID: number;
  readonly secretKey: number;
}
interface ProtocolConnection extends EventEmitter {
  readonly stream: Socket;
  connect(port: number | string, host?: string): void;
  cancel(processID: number, secretKey: number): void;
}

/**
 * Asks PostgreSQL to cancel the statement that the client's backend runs. The protocol requires a new connection for it.
 * Resolves when the server closes that connection: by then it has signalled the backend. Never rejects: if it fails, the statement runs to its time limit.
 */
export function sendCancelRequest(client: pg.ClientBase): Promise<void> {
  const { host, port, ssl, processID, secretKey } = client as unknown as Backend;
  const Connection = pg.Connection as unknown as new (options: { ssl: boolean | object }) => ProtocolConnection;
  const connection = new Connection({ ssl });
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
