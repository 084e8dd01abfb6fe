import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Account, chooseAccount } from './account.ts';
import { launchServer } from './launch.ts';

const run = promisify(execFile);

export interface StandbyOptions {
  /** The running server that the standby follows: its folder, and the connection string of its superuser. */
  primary: { dataDir: string; url: string };
  /** Folder of the standby's cluster and log. Must not exist or be empty. */
  dataDir: string;
  /** Settings as in postgresql.conf. */
  settings?: Record<string, string>;
}

export interface Standby {
  /** Connection string of the database that the primary's connection string names. */
  url: string;
  /** Stops the server, or does nothing if it does not run. */
  stop(): Promise<void>;
  /** Starts it again on the same port, after `stop`. */
  start(): Promise<void>;
}

/** Starts a hot standby that streams from an embedded PostgreSQL on this machine, as a read replica does. For tests. */
export async function startStandby({ primary, dataDir, settings = {} }: StandbyOptions): Promise<Standby> {
  const folder = resolve(dataDir);
  const cluster = join(folder, 'cluster');
  const account = await chooseAccount();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await copyCluster(primary, cluster, account);

  const connection = new URL(primary.url);
  const followed = { host: connection.hostname, port: connection.port, user: connection.username, password: connection.password };
  const conninfo = Object.entries(followed).map(([key, value]) => `${key}=${value}`);
  const launch = (port?: number) =>
    launchServer({ folder, cluster, account, port, settings: { ...settings, primary_conninfo: conninfo.join(' ') } });

  let server = await launch();
  const { port } = server;
  connection.port = String(port);
  return {
    url: connection.href,
    stop: () => server.stop(),
    start: async () => void (server = await launch(port)),
  };
}

/** Copies the files of a running server, as pg_basebackup does: the embedded PostgreSQL lacks this program. */
async function copyCluster({ dataDir, url }: StandbyOptions['primary'], cluster: string, account: Account): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    await cp(join(resolve(dataDir), 'cluster'), cluster, { recursive: true, filter: async (source) => !source.endsWith('postmaster.pid') });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '');
  } catch (error) {
    await rm(cluster, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end();
  }
  await writeFile(join(cluster, 'standby.signal'), '');
  await run('chmod', ['-R', 'u=rwX,go=', cluster]);
  if (account.owner !== undefined) await run('chown', ['-Rh', `${account.owner}:${account.owner}`, cluster]);
}
