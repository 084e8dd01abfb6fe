import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { chooseAccount } from './postgres/account.ts';
import { initializeCluster, removeAbandonedDrafts } from './postgres/cluster.ts';
import { createDatabase, databaseUrl } from './postgres/database.ts';
import { launchServer } from './postgres/launch.ts';

/** Every start creates this database if it does not exist. Tests create others through `adminUrl`. */
const database = 'profile';

export interface PostgresOptions {
  /** Folder of the cluster, its password and its log. Created if missing. */
  dataDir: string;
  /** TCP port on 127.0.0.1. Defaults to a free port. */
  port?: number;
  /** Settings as in postgresql.conf, such as `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
}

export interface EmbeddedPostgres {
  /** Connection string of the database `profile`, as superuser `postgres`. */
  url: string;
  /** Connection string of the database `postgres`, for creating other databases. */
  adminUrl: string;
  port: number;
  /** Disconnects all clients and shuts the server down. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on `dataDir`, reachable only from this machine: version 18, or the one in POSTGRES_BIN. Resolves when it accepts connections.
 * Keeps existing data, also after a crash. The server stops when the calling thread ends, for whatever reason.
 * @throws Error with the last lines of the server's log if it does not start, or if another server runs on the same data
 */
export async function startPostgres({ dataDir, port, settings = {} }: PostgresOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const account = await chooseAccount();
  const { cluster, password } = await initializeCluster(folder, account, settings['fsync'] !== 'off');
  const server = await launchServer({ folder, cluster, account, port, settings });
  const [url, adminUrl] = [databaseUrl(server.port, password, database), databaseUrl(server.port, password, 'postgres')];
  try {
    await removeAbandonedDrafts(folder);
    await createDatabase(adminUrl, database);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url, adminUrl, port: server.port, stop: server.stop };
}
