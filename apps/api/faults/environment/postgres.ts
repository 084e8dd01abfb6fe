import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '@profile-service/local-stack';
import { freePort } from '../../../../test/free-port.ts';
import { type Proxy, startProxy } from '../../../../test/proxy.ts';
import { connectionsTo, type FaultyDatabase, fillDatabase } from './database.ts';
import { type Disk, mountDisk } from './disk.ts';

/** Connections of the server. Small, so that a fault can use all of them. */
const maxConnections = 60;

/** A durable PostgreSQL on a disk of its own, behind a proxy. */
export interface FaultyPostgres extends FaultyDatabase {
  proxy: Proxy;
  disk: Disk;
  /** Sends a signal to the server: SIGKILL, or SIGINT for a fast shutdown. */
  signal(signal: NodeJS.Signals): Promise<void>;
  /** Stops (SIGSTOP) or continues (SIGCONT) all processes of the server. */
  signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Whether the server's main process runs. It can run without accepting connections. */
  isRunning(): Promise<boolean>;
  /** Starts the server again after it has ended. */
  start(): Promise<void>;
}

/** Starts a server with a migrated database and the states and cities of Brazil. @param mebibytes size of its disk */
export async function startFaultyPostgres(mebibytes: number): Promise<FaultyPostgres> {
  const disk = await mountDisk('faults-postgres', mebibytes);
  const port = await freePort();
  const dataDir = join(disk.folder, 'data');
  const settings = { max_connections: String(maxConnections), max_wal_size: '128MB', min_wal_size: '32MB' };
  const launch = () => startPostgres({ dataDir, port, settings });
  let server = await launch();
  await fillDatabase(server.url);
  const proxy = await startProxy(server.url);
  const postmaster = async () => Number((await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  return {
    url: proxy.url,
    proxy,
    disk,
    ...connectionsTo(server.url),
    async signal(signal) {
      const pid = await postmaster();
      process.kill(pid, signal);
      while (isRunning(pid)) await pause(10);
    },
    async signalAll(signal) {
      const pid = await postmaster();
      const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number);
      for (const each of [pid, ...children]) process.kill(each, signal);
    },
    isRunning: () => postmaster().then(isRunning, () => false),
    start: async () => void (server = await launch()),
    async stop() {
      await proxy.stop();
      await server.stop();
      await disk.remove();
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
