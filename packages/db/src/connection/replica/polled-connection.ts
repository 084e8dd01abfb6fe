import pg from 'pg';
import { type ConnectOptions, connectionConfig } from '../database.ts';
import type { Query } from './positions.ts';

/** Time limit of a connection attempt and of a query, in milliseconds. */
const timeoutMs = 1_000;

/** One connection for short queries at short intervals. After a failure, the next query connects again. */
export class PolledConnection {
  readonly #options: ConnectOptions;
  #client: Promise<pg.Client> | undefined;

  constructor(options: ConnectOptions) {
    this.#options = options;
  }

  /** Runs a query. Any failure closes the connection. */
  readonly query: Query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => {
    const connecting = (this.#client ??= this.#connect());
    try {
      return (await (await connecting).query<Row>(text, values)).rows;
    } catch (error) {
      if (this.#client === connecting) this.close();
      throw error;
    }
  };

  /** Closes the connection, if there is one. */
  close(): void {
    const client = this.#client;
    this.#client = undefined;
    void client?.then(destroySocket, () => undefined);
  }

  async #connect(): Promise<pg.Client> {
    const config = { ...connectionConfig(this.#options), connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
    const client = new pg.Client(config);
    // The next query fails. Without a listener, the `error` event would end the process.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}

/** Closes a connection without waiting for a server that may hang. Running queries fail at once. */
export function destroySocket({ connection }: pg.Client): void {
  connection.stream.destroy();
}
