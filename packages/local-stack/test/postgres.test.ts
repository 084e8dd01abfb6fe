import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import { installedBinaries, readableBinaries } from '../src/postgres/binaries.ts';
import { startPostgres, type EmbeddedPostgres, type PostgresOptions } from '../src/postgres.ts';

const settings = { fsync: 'off' };
const running: EmbeddedPostgres[] = [];
let dataDir: string;

beforeAll(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'local-stack-postgres-'))));
afterEach(async () => void (await Promise.all(running.splice(0).map((server) => server.stop()))));
afterAll(() => rm(dataDir, { recursive: true }));

const start = async (options: Partial<PostgresOptions> = {}): Promise<EmbeddedPostgres> => {
  const server = await startPostgres({ dataDir, settings, ...options });
  running.push(server);
  return server;
};

const query = async (url: string, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
};

const serverPid = async (): Promise<number> => Number((await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0]);

// A zombie counts as ended: init reaps it later, or never in a container.
const isRunning = async (pid: number): Promise<boolean> => /\) [^Z]/.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''));

describe('startPostgres', () => {
  test('creates a cluster in UTF-8 with the database profile, protected by a password', async () => {
    const { url, port } = await start();
    expect(new URL(url)).toMatchObject({ hostname: '127.0.0.1', port: String(port), pathname: '/profile' });
    const facts = `select current_database(), pg_encoding_to_char(encoding), 'Água' > 'Zebra', lower('ÁGUA'), current_setting('lc_messages')
      from pg_database where datname = current_database()`;
    expect(await query(url, facts)).toEqual(['profile', 'UTF8', true, 'água', 'C']);
    const withWrongPassword = Object.assign(new URL(url), { password: 'guess' });
    await expect(query(withWrongPassword.href, 'select 1')).rejects.toThrow('password authentication failed');
  });

  test('ends its process on stop, then starts again with its data on the port and with the settings of the caller', async () => {
    const { url, port, stop } = await start({ port: await freePort() });
    await query(url, 'create table kept as select 42 as answer');
    const pid = await serverPid();
    expect(await isRunning(pid)).toBe(true);
    await stop();
    expect(await isRunning(pid)).toBe(false);
    const again = await start({ port, settings: { ...settings, work_mem: '7MB' } });
    expect(again.port).toBe(port);
    expect(await query(again.url, 'select answer, current_setting($$work_mem$$) from kept')).toEqual([42, '7MB']);
  });

  test('reports the error of PostgreSQL if it does not start, and starts again after the server was killed by SIGKILL', async () => {
    const { url } = await start();
    await query(url, 'create table survived as select 1');
    const pid = await serverPid();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
    await expect(start({ settings: { work_mem: 'plenty' } })).rejects.toThrow('invalid value for parameter "work_mem": "plenty"');
    expect(await query((await start()).url, 'select * from survived')).toEqual([1]);
  });

  test('stops when its parent is killed by SIGKILL, so that the next start succeeds', async () => {
    const parent = await startProgram();
    const pid = await serverPid();
    expect(await isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    expect(await query((await start()).url, 'select 1')).toEqual([1]);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  // The programs are those of this machine: this shows the choice of commands, not that the other system runs them.
  test.each(['darwin', 'win32'])('with the commands for %s, stops with its parent and on stop', async (platform) => {
    const killed = await startProgram(platform);
    const first = await serverPid();
    killed.kill('SIGKILL');
    await expect.poll(() => isRunning(first)).toBe(false);

    const stopped = await startProgram(platform);
    const second = await serverPid();
    expect(await isRunning(second)).toBe(true);
    stopped.stdin.end();
    expect(await once(stopped, 'exit')).toEqual([0, null]);
    expect(await isRunning(second)).toBe(false);
    expect(await readFile(join(dataDir, 'server.log'), 'utf8')).toContain('received fast shutdown request');
  });
});

/** Starts a program that starts PostgreSQL, as on this platform, and stops it when its standard input ends. */
async function startProgram(platform: string = process.platform): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  // Other systems have packages of their own. Root may have to run PostgreSQL as a user who cannot read this repository.
  const installed = await installedBinaries();
  const binaries = process.getuid?.() === 0 ? await readableBinaries(installed) : installed;
  const program = `Object.defineProperty(process, 'platform', { value: '${platform}' });
    const { startPostgres } = await import(${JSON.stringify(import.meta.resolve('../src/postgres.ts'))});
    const { stop } = await startPostgres(${JSON.stringify({ dataDir, settings })});
    console.log('started');
    process.stdin.resume().on('end', stop);`;
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    env: { ...process.env, POSTGRES_BIN: join(binaries, 'bin') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(parent.stdout, 'data');
  return parent;
}
