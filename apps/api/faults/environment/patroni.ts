import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { freePort } from '../../../../test/free-port.ts';
import { findProgram } from '../../../../test/programs.ts';
import { startServerProcess } from '../../../../scripts/storage/server-process.ts';
import { connectionsTo, type FaultyDatabase, fillDatabase } from './database.ts';

const binaries = '/usr/lib/postgresql/15/bin';
const startMs = 60_000;

/** Two PostgreSQL servers that Patroni manages: a primary with a synchronous standby, behind HAProxy. */
export interface PatroniCluster extends FaultyDatabase {
  /** Ends Patroni and PostgreSQL of the primary with SIGKILL. Patroni then promotes the standby. */
  killPrimary(): Promise<void>;
  /** Starts the killed server again, which becomes the synchronous standby. */
  startKilled(): Promise<void>;
  /** Waits until there is a synchronous standby. */
  untilReplicated(): Promise<void>;
}

interface Member {
  name: string;
  port: number;
  apiPort: number;
  folder: string;
  patroni: ChildProcess | undefined;
}

/** Starts the cluster, with a migrated database. Needs Debian's packages patroni, etcd-server, haproxy and postgresql-15, and root to run them as `postgres`. */
export async function startPatroniCluster(): Promise<PatroniCluster> {
  const [etcd, patroni, haproxy] = await Promise.all(['etcd', 'patroni', 'haproxy'].map(installed));
  const folder = await mkdtemp(join(tmpdir(), 'profile-service-patroni-'));
  await chmod(folder, 0o777);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true, force: true }));

  const [client, peer] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
  const etcdArguments = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
    'log-level': 'error',
  };
  const etcdPort = Number(new URL(client ?? '').port);
  const etcdArgs = Object.entries(etcdArguments).map(([name, value]) => `--${name}=${value}`);
  stack.adopt(await startServerProcess(etcd ?? '', etcdArgs, etcdPort, {}, 'ignore'), (server) => server.stop());

  const passwords = { superuser: randomBytes(16).toString('hex'), replication: randomBytes(16).toString('hex') };
  const members: Member[] = [];
  for (const name of ['one', 'two']) {
    const member = { name, port: await freePort(), apiPort: await freePort(), folder: join(folder, name), patroni: undefined };
    await mkdir(member.folder);
    await chmod(member.folder, 0o777);
    await writeFile(join(member.folder, 'patroni.yml'), stringify(configurationOf(member, etcdPort, passwords)));
    members.push(member);
    stack.defer(() => killMember(member));
  }
  const start = (member: Member) => (member.patroni = spawnPatroni(patroni ?? '', member));
  for (const member of members) start(member);

  const port = await freePort();
  await writeFile(join(folder, 'haproxy.cfg'), proxyConfiguration(port, members));
  stack.adopt(await startServerProcess(haproxy ?? '', ['-db', '-f', join(folder, 'haproxy.cfg')], port, {}, 'ignore'), (server) =>
    server.kill(),
  );

  const url = `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/postgres`;
  const connections = connectionsTo(url);
  const untilReplicated = () =>
    until('a synchronous standby', async () => {
      const [found] = await connections.sql("select from pg_stat_replication where sync_state = 'sync'").catch(() => []);
      return found !== undefined;
    });
  await untilReplicated();
  await fillDatabase(url);
  const disposables = stack.move();
  let killed: Member | undefined;
  return {
    ...connections,
    url,
    async killPrimary() {
      for (const member of members) if (await isPrimary(member)) killed = member;
      if (!killed) throw new Error('No member of the cluster is the primary');
      await killMember(killed);
    },
    async startKilled() {
      if (killed) start(killed);
    },
    untilReplicated,
    stop: () => disposables.disposeAsync(),
  };
}

async function installed(name: string): Promise<string> {
  const program = await findProgram(name);
  if (!program) throw new Error(`${name} is missing: install it (Debian: apt-get install ${name === 'etcd' ? 'etcd-server' : name})`);
  return program;
}

/** The configuration of a member of Patroni. Its leader loses the lock after 20 seconds without a sign of life, which is the shortest time that Patroni allows. */
function configurationOf({ name, port, apiPort, folder }: Member, etcdPort: number, passwords: Record<string, string>): object {
  const address = (of: number) => `127.0.0.1:${of}`;
  return {
    scope: 'faults',
    name,
    restapi: { listen: address(apiPort), connect_address: address(apiPort) },
    etcd3: { host: address(etcdPort) },
    bootstrap: {
      dcs: { ttl: 20, loop_wait: 1, retry_timeout: 3, synchronous_mode: true, postgresql: { use_pg_rewind: true } },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: address(port),
      connect_address: address(port),
      data_dir: join(folder, 'data'),
      bin_dir: binaries,
      pgpass: join(folder, 'pgpass'),
      pg_hba: ['all', 'replication'].map((database) => `host ${database} all 127.0.0.1/32 scram-sha-256`),
      parameters: { unix_socket_directories: folder },
      authentication: {
        superuser: { username: 'postgres', password: passwords['superuser'] },
        replication: { username: 'replicator', password: passwords['replication'] },
      },
    },
  };
}

/** HAProxy sends connections to the member whose Patroni says that it is the primary, and ends those to a member that no longer is. */
const proxyConfiguration = (port: number, members: readonly Member[]): string => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map((member) => `  server ${member.name} 127.0.0.1:${member.port} check port ${member.apiPort}\n`).join('')}`;

/** Patroni runs PostgreSQL, which refuses to run as root. */
function spawnPatroni(program: string, { folder }: Member): ChildProcess {
  const log = openSync(join(folder, 'log'), 'a');
  const account = ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--pdeathsig=TERM'];
  return spawn('setpriv', [...account, program, join(folder, 'patroni.yml')], { stdio: ['ignore', log, log], cwd: '/' });
}

async function killMember(member: Member): Promise<void> {
  const { patroni, folder } = member;
  member.patroni = undefined;
  if (!patroni) return;
  const ended = once(patroni, 'exit');
  if (patroni.exitCode === null) {
    patroni.kill('SIGKILL');
    await ended;
  }
  const pid = Number((await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  // The file can be older than the machine's last start: kill only a process whose data this is.
  const commandLine = pid > 0 ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : '';
  if (commandLine.includes(folder)) process.kill(pid, 'SIGKILL');
}

const isPrimary = ({ apiPort }: Member): Promise<boolean> =>
  fetch(`http://127.0.0.1:${apiPort}/primary`).then(
    ({ status }) => status === 200,
    () => false,
  );

async function until(what: string, isReached: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + startMs; !(await isReached()); await pause(200))
    if (Date.now() > end) throw new Error(`Patroni has no ${what} after ${startMs / 1_000} s`);
}
