import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { chooseAccount } from './postgres/account.ts';
import { clearAbandoned, initializeCluster } from './postgres/cluster.ts';
import { createDatabase, databaseUrl } from './postgres/database.ts';
import { launchServer } from './postgres/launch.ts';

/** The database that every start finds or makes; templates and test databases are made beside it, over `adminUrl`. */
const database = 'profile';

export interface PostgresOptions {
  /** Folder that keeps the cluster, its password and its log; made when absent. */
  dataDir: string;
  /** TCP port on 127.0.0.1; absent: a free one. */
  port?: number;
  /** Server settings as in postgresql.conf, e.g. `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
}

export interface EmbeddedPostgres {
  /** Connection string of the database `profile`, as superuser `postgres`. */
  url: string;
  /** Connection string of the database `postgres`, from which other databases can be made. */
  adminUrl: string;
  port: number;
  /** Disconnects all clients, writes everything down and ends the server. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL 18 on `dataDir`, reachable from this machine alone, and resolves when it accepts connections.
 * Existing data is kept, also after a crash. The server ends with the thread that calls this, however that ends.
 * @throws with the last lines of the server's log when it does not come up, or when another server runs on the same data
 */
export async function startPostgres({ dataDir, port, settings = {} }: PostgresOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const account = await chooseAccount();
  const { cluster, password } = await initializeCluster(folder, account, settings['fsync'] !== 'off');
  const server = await launchServer({ folder, cluster, account, port, settings });
  const [url, adminUrl] = [databaseUrl(server.port, password, database), databaseUrl(server.port, password, 'postgres')];
  try {
    await clearAbandoned(folder);
    await createDatabase(adminUrl, database);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url, adminUrl, port: server.port, stop: server.stop };
}
