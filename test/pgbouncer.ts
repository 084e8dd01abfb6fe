import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionSettings } from '@profile-service/db';
import { freePort } from './free-port.ts';

/** A PgBouncer of one test. */
export interface TestPgBouncer {
  /** The given connection string, through PgBouncer. */
  url: string;
  stop(): Promise<void>;
}

/** Sets in each session what the service otherwise sends when it connects. */
const connectQuery = Object.entries(sessionSettings())
  .map(([name, value]) => `set ${name} = ''${value}''`)
  .join('; ');

/**
 * Returns the configuration of transaction mode that docs/run/scaling.md shows.
 * @param target connection string of the database
 * @param settings that depend on the installation
 */
export function pgBouncerConfig(target: string, settings: Record<string, string>): string {
  const { hostname, port, pathname } = new URL(target);
  const lines = [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${port} connect_query='${connectQuery}'`,
    '',
    '[pgbouncer]',
    'pool_mode = transaction',
    'auth_type = scram-sha-256',
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Starts PgBouncer with two connections to the server, so that clients often change the connection.
 * @param program path of `pgbouncer`  @param target connection string of the database
 * @param more further settings
 * @param edit changes the configuration
 */
export async function startPgBouncer(
  program: string,
  target: string,
  more: Record<string, string> = {},
  edit = (config: string) => config,
): Promise<TestPgBouncer> {
  const { username, password } = new URL(target);
  const folder = await mkdtemp(join(tmpdir(), 'profile-pgbouncer-'));
  const port = await freePort();
  const users = join(folder, 'userlist.txt');
  const config = join(folder, 'pgbouncer.ini');
  const own = { auth_file: users, listen_addr: '127.0.0.1', listen_port: String(port), unix_socket_dir: '' };
  const sizes = { default_pool_size: '2', max_client_conn: '1000' };
  await writeFile(users, `"${username}" "${password}"\n`);
  await writeFile(config, edit(pgBouncerConfig(target, { ...own, ...sizes, ...more })));
  // PgBouncer refuses to run as root, so another user reads the files.
  await chmod(folder, 0o755);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, [...user, config], { stdio: ['ignore', 'ignore', 'pipe'] });
  await started(child);
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async stop() {
      const ended = once(child, 'exit');
      // SIGTERM closes all connections at once.
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function started(child: ChildProcess): Promise<void> {
  let log = '';
  for await (const text of child.stderr ?? []) {
    log += String(text);
    if (log.includes('process up')) return void child.stderr?.resume();
  }
  throw new Error(`pgbouncer exited:\n${log}`);
}
