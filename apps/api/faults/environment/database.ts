import { migrate } from '@profile-service/db';
import { loadGeography } from '@profile-service/db/geography';
import pg from 'pg';

/** The database of an installation. */
export interface FaultyDatabase {
  /** The address of the instances. */
  url: string;
  /** Opens a connection that no fault of the network reaches. */
  connect(): Promise<pg.Client>;
  /** Runs SQL on a connection of its own. */
  sql<Row extends object = object>(text: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** Returns the connections to a server. @param connectionString address of a database */
export function connectionsTo(connectionString: string): Pick<FaultyDatabase, 'connect' | 'sql'> {
  const connect = async () => {
    const client = new pg.Client({ connectionString, statement_timeout: 60_000 });
    // Faults end connections.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  return {
    connect,
    async sql<Row extends object>(text: string, values: unknown[] = []) {
      const client = await connect();
      try {
        return (await client.query<Row>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

/** Migrates a database and loads the states and cities of Brazil. */
export async function fillDatabase(connectionString: string): Promise<void> {
  await migrate(connectionString);
  await loadGeography(connectionString);
}
