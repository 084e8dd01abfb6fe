import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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

  test('is PostgreSQL 18 with the built-in locale C.UTF-8, or the version in POSTGRES_BIN', async () => {
    const { url } = await start();
    const [version, provider] = (await query(
      url,
      `select current_setting('server_version_num')::int / 10000, datlocprovider::text from pg_database where datname = current_database()`,
    )) as [number, string];
    const programs = process.env['POSTGRES_BIN'];
    const expected = programs
      ? execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' })
      : 'postgres (PostgreSQL) 18.4';
    expect(expected).toContain(`(PostgreSQL) ${version}.`);
    expect(provider).toBe(version >= 17 ? 'b' : 'c');
  });

  test('ends its process on stop, then starts again with its data on the port and with the settings of the caller', async () => {
    const { url, port, stop } = await start();
    await query(url, 'create table kept as select 42 as answer');
    const pid = await serverPid();
    expect(await isRunning(pid)).toBe(true);
    await stop();
    expect(await isRunning(pid)).toBe(false);
    const again = await start({ port, settings: { ...settings, work_mem: '7MB' } });
    expect(again.port).toBe(port);
    expect(await query(again.url, 'select answer, current_setting($$work_mem$$) from kept')).toEqual([42, '7MB']);
  });

  test('reports the error of PostgreSQL if it does not start', async () => {
    await expect(start({ settings: { work_mem: 'plenty' } })).rejects.toThrow('invalid value for parameter "work_mem": "plenty"');
  });

  test('starts again after the server was killed by SIGKILL', async () => {
    const { url } = await start();
    await query(url, 'create table survived as select 1');
    const pid = await serverPid();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(await readdir(join(dataDir, 'cluster'))).toContain('postmaster.pid');
    expect(await query((await start()).url, 'select * from survived')).toEqual([1]);
  });

  test('stops when its parent is killed by SIGKILL, so that the next start succeeds', async () => {
    const program = `import { startPostgres } from ${JSON.stringify(import.meta.resolve('../src/postgres.ts'))};
      await startPostgres(${JSON.stringify({ dataDir, settings })});
      console.log('started');`;
    const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(parent.stdout, 'data');
    const pid = await serverPid();
    expect(await isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    expect(await query((await start()).url, 'select 1')).toEqual([1]);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});
