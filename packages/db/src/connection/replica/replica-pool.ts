import type pg from 'pg';
import { connect, type ConnectOptions, type Database } from '../database.ts';
import { OtherServerError } from './errors.ts';
import { destroySocket } from './polled-connection.ts';

/** Time limit in milliseconds for getting a connection to the replica. Then the read uses the primary. */
const waitMs = 1_000;

/** A pool whose connections all lead to one server. */
export interface ReplicaPool {
  readonly server: string;
  readonly database: Database;
  /** Closes the pool. Running statements fail at once. */
  destroy(): void;
}

/**
 * Creates the pool. A load balancer, or a changed host name, can lead a new connection to a server whose position is unknown. Such a connection is
 * rejected.
 * @param server identity of the server, see `ReplicaPosition`
 */
export function createReplicaPool(server: string, options: ConnectOptions, onOtherServer: (error: OtherServerError) => void): ReplicaPool {
  const clients = new Set<pg.Client>();
  const onConnect = async (client: pg.Client) => {
    clients.add(client);
    client.once('end', () => clients.delete(client));
    const { rows } = await client.query<{ server: string }>('select pg_postmaster_start_time()::text as server');
    if (rows[0]?.server === server) return;
    const error = new OtherServerError('Connections to the replica lead to different servers');
    onOtherServer(error);
    throw error;
  };
  const database = connect({ ...options, waitMs, onConnect });
  return {
    server,
    database,
    destroy() {
      void database.close().catch(() => undefined);
      for (const client of clients) destroySocket(client);
    },
  };
}
