import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithParent } from '../../test/end-with-parent.ts';
import { freePort } from '../../test/free-port.ts';
import type { KeycloakAccess } from '../../test/keycloak/access.ts';
import { administrator, databaseUrl, importedDatabase } from './database.ts';
import { installKeycloak, javaOptions } from './install.ts';

export interface KeycloakServer {
  access: KeycloakAccess;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

/** A start takes about 10 s on an idle machine. */
const startMs = 180_000;

/**
 * Starts Keycloak on a copy of the database with the imported realm. As in docker-compose.yml, its issuers have a fixed public address, it
 * accepts requests at another address too, and it is started again when it ends.
 */
export async function startKeycloak(): Promise<KeycloakServer> {
  const home = await installKeycloak();
  const imported = await importedDatabase(home);
  const folder = await mkdtemp(join(tmpdir(), 'profile-service-keycloak-'));
  await cp(imported, folder, { recursive: true });
  const port = await freePort();
  const [url, internalUrl, pidFile] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`, join(folder, 'pid')];
  const args = [`--hostname=${url}`, '--hostname-backchannel-dynamic=true', '--http-host=127.0.0.1', `--http-port=${port}`];
  let child: ChildProcess;
  let restarts = false;
  const logFile = join(folder, 'log');
  const start = async () => {
    child = spawnKeycloak(home, [...args, `--db-url=${databaseUrl(folder)}`], logFile);
    child.on('exit', () => restarts && void start());
    await writeFile(pidFile, String(child.pid));
  };
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    restarts = false;
    if (!hasEnded()) {
      const ended = once(child, 'exit');
      // kc.sh starts Java as a child process, so the signal goes to the process group. The data is not needed any more.
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  await start();
  if (await responds(`${internalUrl}/realms/profile`, hasEnded)) {
    restarts = true;
    return { access: { url, internalUrl, ...administrator, realm: 'profile', smtpHost: '127.0.0.1', pidFile }, stop };
  }
  const log = await readFile(logFile, 'utf8');
  const problem = hasEnded() ? 'ended before it responded' : `did not respond within ${startMs / 1000} s`;
  await stop();
  throw new Error(`Keycloak ${problem}:\n${log.split('\n').slice(-20).join('\n')}`);
}

function spawnKeycloak(home: string, args: string[], logFile: string): ChildProcess {
  const log = openSync(logFile, 'a');
  const command = [join(home, 'bin', 'kc.sh'), 'start', '--optimized', '--cache=local', '--http-enabled=true', ...args];
  const [program = '', ...rest] = [...endWithParent, ...command];
  return spawn(program, rest, { env: { ...process.env, JAVA_OPTS: javaOptions }, stdio: ['ignore', log, log], detached: true });
}

/** Waits for the first response. Returns false if there is none in time, or if the process ends. */
async function responds(url: string, hasEnded: () => boolean): Promise<boolean> {
  const end = Date.now() + startMs;
  while (Date.now() < end && !hasEnded()) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return true;
    await pause(100);
  }
  return false;
}
