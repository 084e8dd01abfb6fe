import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { backupLock } from '@profile-service/db';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { listen } from '../../../../test/listen.ts';
import { startProxy } from '../../../../test/proxy.ts';
import { createLog } from '../../src/observability/log.ts';
import type { ServiceOptions } from '../../src/service/service.ts';
import { createApi } from '../support/api.ts';
import { upload } from '../support/files.ts';
import { lockTable } from '../support/race.ts';
import { startProcess } from '../support/process.ts';
import { readiness } from '../support/readiness.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

async function start(settings: Record<string, string> = {}) {
  const service = await startProcess({ ...world.environment, ...settings });
  onTestFinished(() => service.kill());
  return service;
}

const createApp = (url: string, name: string) => createApi(url).call(world.global, 'POST /api/apps', { name });

/** Blocks writes to apps. */
const barrier = () => lockTable(world, 'apps', 'exclusive');

const isRefused = async (port: string) => {
  const socket = connect(Number(port), '127.0.0.1');
  const refused = await Promise.race([once(socket, 'connect').then(() => false), once(socket, 'error').then(() => true)]).catch(() => true);
  socket.destroy();
  return refused;
};

/** A platform kills a service 10 seconds after SIGTERM. A busy machine needs longer. */
const platformMs = 30_000;

test('on SIGTERM running requests complete, new connections are refused, and the exit code is 0', async () => {
  const name = 'Begun before the end';
  const service = await start({ SHUTDOWN_DELAY_SECONDS: '1' });
  await fetch(`${service.url}/health/live`);
  const { waiting, end } = await barrier();
  const response = createApp(service.url, name);
  await expect.poll(waiting).toBe(1);
  const stopped = service.stop();
  await expect.poll(() => isRefused(new URL(service.url).port)).toBe(true);
  await end();
  expect((await response).status).toBe(201);
  expect(await stopped).toBe(0);
  expect(await world.sql('select from apps where name = $1', [name])).toHaveLength(1);
});

// Rules: HEALTH-8
test('after SIGTERM the instance is not ready and serves requests for SHUTDOWN_DELAY_SECONDS', async () => {
  const service = await start({ MANAGEMENT_PORT: '0', SHUTDOWN_DELAY_SECONDS: '300' });
  void service.stop();
  const checks = { database: 'ok', identity: 'ok', storage: 'ok', cache: 'ok' };
  const report = { status: 'down', checks, reasons: { stop: 'The instance is stopping.' } };
  await expect.poll(() => readiness(service.managementUrl)).toEqual([503, report]);
  expect((await readiness(service.url))[0]).toBe(503);
  expect((await createApp(service.url, 'During the delay')).status).toBe(201);
});

test('a stop aborts requests that do not complete, and ends in time despite idle connections or a database that hangs', async () => {
  const proxy = await startProxy(world.databaseUrl);
  const service = await start();
  const hanging = await world.another({ DATABASE_URL: proxy.url });
  const idle = connect(Number(new URL(service.url).port), '127.0.0.1');
  await once(idle, 'connect');
  const { waiting, end } = await barrier();
  const responses = [service.url, hanging.url].map((url) => createApp(url, `Never ends at ${url}`).catch(() => 'aborted'));
  await expect.poll(waiting).toBe(2);
  proxy.freeze();
  const tooLate = pause(platformMs, 'too late', { ref: false });
  expect(await Promise.race([Promise.all([service.stop(), hanging.stop()]), tooLate])).toEqual([0, undefined]);
  expect(await Promise.all(responses)).toEqual(['aborted', 'aborted']);
  await proxy.stop();
  await expect.poll(waiting).toBe(0);
  await end();
  expect(await world.sql('select from apps where name = $1', [`Never ends at ${service.url}`])).toEqual([]);
  idle.destroy();
});

test('on SIGTERM during the start the exit code is 0', async () => {
  const signal =
    "import { subscribe } from 'node:diagnostics_channel'; subscribe('undici:request:create', () => process.kill(process.pid, 'SIGTERM'));";
  // The first request is a health check of the start.
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(signal)}`;
  await expect(start({ NODE_OPTIONS })).rejects.toThrow('exited with 0 before it listened');
});

test('each step of a stop that fails is logged with its name, the others run, and the exit code is 1', async () => {
  const NODE_OPTIONS = `--import ${new URL('../support/unclosable-pools.ts', import.meta.url).href}`;
  const service = await start({ NODE_OPTIONS });
  expect(await service.stop()).toBe(1);
  const failed = service.log.filter(({ msg }) => msg === 'a step of the stop failed').map(({ step }) => step);
  expect(failed.toSorted()).toEqual(['database', 'event poller', 'exports', 'imports', 'jobs']);
  expect(service.log.at(-1)).toMatchObject({ msg: 'stopped' });
});

describe('jobs', () => {
  let attachmentId: string;
  beforeAll(async () => {
    attachmentId = (await upload(world, world.global)).body.id;
    // Otherwise it would run the jobs.
    await world.service.stop();
  });

  /** The states of the jobs with this name, in the order of their creation. */
  const statesOf = async (job: string) =>
    (await world.sql<{ state: string }>('select state from pgboss.job where name = $1 order by created_on', [job])).map(
      ({ state }) => state,
    );

  /** A service that has started its jobs. */
  async function startWithJobs(settings: Record<string, string> = {}) {
    const service = await world.another(settings);
    await expect.poll(() => statesOf('idempotency-key-cleanup')).toEqual(['created']);
    return service;
  }

  test('do not start after the stop has begun, although requests add some', async () => {
    const service = await startWithJobs({ SHUTDOWN_DELAY_SECONDS: '1' });
    const stopped = service.stop();
    const person = world.newPerson();
    expect(await service.call(world.global, 'POST /api/users', person)).toMatchObject({ status: 201 });
    await stopped;
    expect((await statesOf('password-mail')).at(-1)).toBe('created');
    expect(world.identity.mails.filter(({ to }) => to === person.email)).toEqual([]);
  });

  test('that run are aborted when the drain begins, not after it', async () => {
    const service = await startWithJobs();
    // While a backup runs, the deletion leaves the file to the clean-up, which waits for the end of the backup.
    const backup = new pg.Client(world.databaseUrl);
    await backup.connect();
    onTestFinished(() => backup.end());
    await backup.query(`select pg_advisory_lock(${backupLock})`);
    expect((await service.call(world.global, `DELETE /api/attachments/${attachmentId}`)).status).toBe(204);
    await world.sql("update pgboss.job set start_after = now() where name = 'storage-cleanup'");
    const statesAfterWake = () => {
      service.jobs.wake('storage-cleanup');
      return statesOf('storage-cleanup');
    };
    await expect.poll(statesAfterWake).toEqual(['active', 'created']);

    const { waiting, end } = await barrier();
    const created = createApp(service.url, 'Slower than the job');
    await expect.poll(waiting).toBeGreaterThan(0);
    let hasStopped = false;
    const stopped = service.stop().then(() => (hasStopped = true));
    await expect.poll(() => statesOf('storage-cleanup')).toEqual(['retry', 'created']);
    expect(hasStopped).toBe(false);
    await end();
    expect((await created).status).toBe(201);
    await stopped;
  });
});

describe('a failed start', () => {
  const connections = new Set<Socket>();
  /** Accepts connections and does not respond. The service uses its address as Redis, and its port as its own. */
  const occupied = createServer((socket) => {
    connections.add(socket);
    // A socket that is not read does not notice the end of its connection.
    socket
      .resume()
      .on('error', () => undefined)
      .on('close', () => connections.delete(socket));
  });
  let port: string;
  beforeAll(async () => void (port = String(await listen(occupied))));
  afterAll(() => void occupied.close());

  /** Number of open sockets and servers of this process. */
  const handles = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP')).length;

  /** A log that fails at its first warning, which is about Redis, or at the line with the port, which is the last step of a start. */
  function failingLog(method: 'warn' | 'info'): ServiceOptions {
    const write = (line: object) => {
      if (method === 'warn' || 'port' in line) throw new Error('the log fails');
    };
    return { log: Object.assign(Object.create(createLog('silent')), { [method]: write }) };
  }

  const aborting = new AbortController();
  const abortAtConnection = () => void occupied.once('connection', () => aborting.abort(new Error('the start is aborted')));

  test.each<[string, () => Record<string, string> | void, ServiceOptions, string]>([
    ['its port is in use', () => ({ PORT: port }), {}, 'EADDRINUSE'],
    ['its management port is in use', () => ({ MANAGEMENT_PORT: port }), {}, 'EADDRINUSE'],
    ['it fails before it listens', () => ({}), failingLog('warn'), 'the log fails'],
    ['it fails at its last step', () => ({}), failingLog('info'), 'the log fails'],
    ['it is aborted while it connects', abortAtConnection, { signal: aborting.signal }, 'the start is aborted'],
  ])('closes all connections and ports if %s, and the next start works', async (_case, settings, options, message) => {
    // The database is used only by this service.
    const DATABASE_URL = await createTestDatabase();
    const name = new URL(DATABASE_URL).pathname.slice(1);
    const databaseConnections = async () => (await world.sql('select from pg_stat_activity where datname = $1', [name])).length;
    await world.sql('select');
    const before = handles();

    const failing = world.another({ DATABASE_URL, REDIS_URL: `redis://127.0.0.1:${port}`, ...settings() }, options);
    await expect(failing).rejects.toThrow(message);
    await expect.poll(databaseConnections).toBe(0);
    await expect.poll(() => connections.size).toBe(0);
    // Sockets of earlier tests may close meanwhile.
    await expect.poll(handles).toBeLessThanOrEqual(before);

    const next = await world.another({ DATABASE_URL });
    expect((await fetch(`${next.url}/health/ready`)).status).toBe(200);
    expect(await databaseConnections()).toBeGreaterThan(0);
    await next.stop();
  });
});
