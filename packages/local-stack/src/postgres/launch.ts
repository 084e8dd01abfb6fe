import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import type { Account } from './account.ts';
import { postmaster, ServerProcess } from './server-process.ts';

const startTimeoutMs = 60_000;
// A server whose parent was just killed needs a moment to start its shutdown.
const orphanTimeoutMs = 2_000;

export interface Launch {
  folder: string;
  cluster: string;
  account: Account;
  port: number | undefined;
  settings: Record<string, string>;
}

/** Starts the server. Resolves when it accepts connections. Throws with the end of its log if it does not start. */
export async function launchServer({ folder, cluster, account, port, settings }: Launch): Promise<{ port: number; stop(): Promise<void> }> {
  const startedAt = Date.now();
  const logFile = join(folder, 'server.log');
  for (;;) {
    const chosen = port ?? (await getPort({ host: '127.0.0.1' }));
    const server = new ServerProcess(account, cluster, logFile, { timezone: 'UTC', ...settings, ...reachable(chosen) });
    if (await server.ready(startedAt + startTimeoutMs)) return { port: chosen, stop: () => server.stop() };
    await server.stop();
    const log = await lastLines(logFile);
    const occupied = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/.test(log);
    const retryMs = occupied ? await shutdownTimeoutMs(cluster) : port === undefined && portTaken(log) ? startTimeoutMs : 0;
    if (Date.now() - startedAt >= retryMs) {
      throw new Error(`${occupied ? 'Another PostgreSQL runs' : 'PostgreSQL did not start'} on ${folder}. The end of ${logFile}:\n${log}`);
    }
    await sleep(100);
  }
}

const reachable = (port: number): Record<string, string> => ({
  port: String(port),
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
});

const lastLines = async (logFile: string): Promise<string> => (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-20).join('\n');

/** Returns how long to wait for the server that holds the data to shut down. */
const shutdownTimeoutMs = async (cluster: string): Promise<number> =>
  (await postmaster(cluster)).status === 'stopping' ? startTimeoutMs : orphanTimeoutMs;

// Another process may take a free port before PostgreSQL listens on it.
const portTaken = (log: string): boolean => log.includes('Address already in use');
