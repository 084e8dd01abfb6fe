import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createApi } from '../support/api.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { startProxy } from '../support/proxy.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let service: ServiceProcess;
beforeAll(async () => (world = await startWorld()));
// A test that uses no process has none to kill.
afterEach(() => (service as ServiceProcess | undefined)?.kill());
afterAll(() => world.stop());

const createApp = (url: string, name: string) => createApi(url).call(world.global, 'POST /api/apps', { name });

/** Blocks writes to apps until it is opened. */
async function barrier(): Promise<{ waiting: () => Promise<number>; open: () => Promise<void> }> {
  const client = new pg.Client(world.databaseUrl);
  await client.connect();
  await client.query('begin; lock table apps in exclusive mode');
  return {
    waiting: async () => {
      const here = 'database = (select oid from pg_database where datname = current_database())';
      const [found] = await world.sql<{ waiting: number }>(`select count(*)::int waiting from pg_locks where not granted and ${here}`);
      return found?.waiting ?? 0;
    },
    open: () => client.end(),
  };
}

const isRefused = async (port = Number(new URL(service.url).port)) => {
  const socket = connect(port, '127.0.0.1');
  const refused = await Promise.race([once(socket, 'connect').then(() => false), once(socket, 'error').then(() => true)]).catch(() => true);
  socket.destroy();
  return refused;
};

/**
 * Returns a function that sends a request on a connection of its own, and returns the response's status and header `connection`.
 * It opens another connection if the service has closed this one.
 */
function keptAlive(port: number): (path: string, options?: RequestOptions, body?: string) => Promise<unknown[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async (path, options, body) => {
    const [response] = (await once(request({ port, path, agent, ...options }).end(body), 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return [response.statusCode, response.headers.connection];
  };
}

/** A platform kills a service 10 seconds after SIGTERM. A busy machine needs longer. */
const platformMs = 30_000;

test('on SIGTERM running requests complete, new connections are refused, and the exit code is 0', async () => {
  const name = 'Begun before the end';
  service = await startProcess({ ...world.environment, SHUTDOWN_DELAY_SECONDS: '1' });
  await fetch(`${service.url}/health/live`);
  const { waiting, open } = await barrier();
  const response = createApp(service.url, name);
  await expect.poll(waiting).toBe(1);
  const stopped = service.stop();
  await expect.poll(() => isRefused()).toBe(true);
  await open();
  expect((await response).status).toBe(201);
  expect(await stopped).toBe(0);
  expect(await world.sql('select from apps where name = $1', [name])).toHaveLength(1);
});

test('while the service stops, each kept-alive connection gets one more response, which closes it', async () => {
  const stopping = await world.another({}, { idleConnectionMs: platformMs });
  const port = Number(new URL(stopping.url).port);
  const connections = Array.from({ length: 16 }, () => keptAlive(port));
  const getAll = () => Promise.all(connections.map((get) => get('/health/live')));
  expect(await getAll()).toEqual(connections.map(() => [200, 'keep-alive']));
  const stopped = stopping.stop();
  await expect.poll(() => isRefused(port)).toBe(true);
  expect(await getAll()).toEqual(connections.map(() => [200, 'close']));
  await stopped;
});

test('a request that runs longer than idle connections stay open gets a response that closes its connection', async () => {
  const stopping = await world.another({}, { idleConnectionMs: 100 });
  const port = Number(new URL(stopping.url).port);
  const { waiting, open } = await barrier();
  const headers = { authorization: `Bearer ${world.global.token}`, 'content-type': 'application/json' };
  const response = keptAlive(port)('/api/apps', { method: 'POST', headers }, JSON.stringify({ name: 'Longer than idle connections' }));
  await expect.poll(waiting).toBe(1);
  const idle = connect(port, '127.0.0.1');
  idle.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(idle, 'data');
  const idleClosed = once(idle.resume(), 'close');
  const stopped = stopping.stop();
  await idleClosed;
  await open();
  expect(await response).toEqual([201, 'close']);
  await stopped;
});

// Rules: HEALTH-8
test('after SIGTERM the instance is not ready and serves requests for SHUTDOWN_DELAY_SECONDS', async () => {
  service = await startProcess({ ...world.environment, MANAGEMENT_PORT: '0', SHUTDOWN_DELAY_SECONDS: '300' });
  void service.stop();
  const ready = async () => {
    const response = await fetch(`${service.managementUrl}/health/ready`);
    return [response.status, await response.json()];
  };
  const checks = { database: 'ok', identity: 'ok', storage: 'ok', cache: 'ok' };
  await expect.poll(ready).toEqual([503, { status: 'down', checks, reasons: { stop: 'The instance is stopping.' } }]);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
  expect((await createApp(service.url, 'During the delay')).status).toBe(201);
});

test('a stop aborts requests that do not complete, and ends in time despite idle connections or a database that hangs', async () => {
  const proxy = await startProxy(world.databaseUrl);
  service = await startProcess(world.environment);
  const hanging = await world.another({ DATABASE_URL: proxy.url });
  const idle = connect(Number(new URL(service.url).port), '127.0.0.1');
  await once(idle, 'connect');
  const { waiting, open } = await barrier();
  const responses = [service.url, hanging.url].map((url) => createApp(url, `Never ends at ${url}`).catch(() => 'aborted'));
  await expect.poll(waiting).toBe(2);
  proxy.freeze();
  const tooLate = pause(platformMs, 'too late', { ref: false });
  expect(await Promise.race([Promise.all([service.stop(), hanging.stop()]), tooLate])).toEqual([0, undefined]);
  expect(await Promise.all(responses)).toEqual(['aborted', 'aborted']);
  await proxy.stop();
  await expect.poll(waiting).toBe(0);
  await open();
  expect(await world.sql('select from apps where name = $1', [`Never ends at ${service.url}`])).toEqual([]);
  idle.destroy();
});

test('each step of a stop that fails is logged with its name, the others run, and the exit code is 1', async () => {
  const NODE_OPTIONS = `--import ${new URL('../support/unclosable-pools.ts', import.meta.url).href}`;
  service = await startProcess({ ...world.environment, NODE_OPTIONS });
  expect(await service.stop()).toBe(1);
  const failed = service.log.filter(({ msg }) => msg === 'a step of the stop failed').map(({ step }) => step);
  expect(failed.toSorted()).toEqual(['database', 'jobs']);
  expect(service.log.at(-1)).toMatchObject({ msg: 'stopped' });
});
