import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from '@profile-service/db';
import { loadGeography } from '@profile-service/db/geography';
import { type Standby, startPostgres, startStandby } from '@profile-service/local-stack';
import pg from 'pg';
import { eventually } from '../../../../test/eventually.ts';
import { freePort } from '../../../../test/free-port.ts';
import { startProxy } from '../../../../test/proxy.ts';
import { mountDisk } from './disk.ts';

/** Connections of the server are few, so that a fault can use all of them. */
const settings = { max_connections: '60', max_wal_size: '128MB', min_wal_size: '32MB' };

/** A durable PostgreSQL on a disk of its own, behind a proxy. */
export type FaultyPostgres = Awaited<ReturnType<typeof startFaultyPostgres>>;

/** A server with the folder of its data. */
type Server = Standby & { dataDir: string };

/** Starts a server with a migrated database and the states and cities of Brazil. @param mebibytes size of its disk */
export async function startFaultyPostgres(mebibytes: number) {
  const disk = await mountDisk('faults-postgres', mebibytes);
  let server = await startServer(join(disk.folder, 'data-1'));
  let standby: Server | undefined;
  let servers = 1;
  await migrate(server.url);
  await loadGeography(server.url);
  const proxy = await startProxy(server.url);
  const postmaster = async () => Number((await readFile(join(server.dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  /** Runs SQL on a connection of its own. */
  const sql = <Row extends object = object>(text: string, values?: unknown[]) => query<Row>(server.url, text, values);
  return {
    /** The address of the instances: that of the proxy. */
    url: proxy.url,
    proxy,
    disk,
    /** Opens a connection that no fault of the network reaches. */
    connect: () => connectTo(server.url),
    sql,
    /** Sends a signal to the server: SIGKILL, or SIGINT for a fast shutdown. */
    async signal(signal: NodeJS.Signals) {
      const pid = await postmaster();
      process.kill(pid, signal);
      while (isRunning(pid)) await pause(10);
    },
    /** Stops (SIGSTOP) or continues (SIGCONT) all processes of the server. */
    async signalAll(signal: 'SIGSTOP' | 'SIGCONT') {
      const pid = await postmaster();
      const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number);
      for (const each of [pid, ...children]) process.kill(each, signal);
    },
    /** Whether the server's main process runs. It can run without accepting connections. */
    isRunning: () => postmaster().then(isRunning, () => false),
    /** Starts the server again after it has ended. */
    start: () => server.start(),
    /** Starts a synchronous standby: from now on, the server acknowledges a commit when the standby has it. */
    async addStandby() {
      const dataDir = join(disk.folder, `data-${(servers += 1)}`);
      standby = { ...(await startStandby({ primary: server, dataDir, settings })), dataDir };
      await sql("alter system set synchronous_standby_names = '*'");
      await sql('select pg_reload_conf()');
      const isReplicated = "select 1 / count(*) from pg_stat_replication where sync_state = 'sync'";
      await eventually(() => sql(isReplicated));
    },
    /** Makes the standby the server in place of the ended one, as a failover does. */
    async promoteStandby() {
      if (!standby) throw new Error('There is no standby');
      await query(standby.url, 'select pg_promote()');
      await rm(server.dataDir, { recursive: true });
      [server, standby] = [standby, undefined];
      proxy.redirect(server.url);
    },
    async stop() {
      await proxy.stop();
      await Promise.all([server.stop(), standby?.stop()]);
      await disk.remove();
    },
  };
}

async function startServer(dataDir: string): Promise<Server> {
  const port = await freePort();
  const launch = () => startPostgres({ dataDir, port, settings });
  let postgres = await launch();
  return { dataDir, url: postgres.url, start: async () => void (postgres = await launch()), stop: () => postgres.stop() };
}

async function connectTo(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, statement_timeout: 60_000 });
  // Faults end connections.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function query<Row extends object>(connectionString: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = await connectTo(connectionString);
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
