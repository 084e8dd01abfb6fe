import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createApi } from '../support/api.ts';
import { lockTable } from '../support/race.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { startProxy } from '../../../../test/proxy.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let service: ServiceProcess;
// A test that uses no process has none to kill.
afterEach(() => (service as ServiceProcess | undefined)?.kill());

const createApp = (url: string, name: string) => createApi(url).call(world.global, 'POST /api/apps', { name });

/** Blocks writes to apps. */
const barrier = () => lockTable(world, 'apps', 'exclusive');

const isRefused = async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const refused = await Promise.race([once(socket, 'connect').then(() => false), once(socket, 'error').then(() => true)]).catch(() => true);
  socket.destroy();
  return refused;
};

/** A platform kills a service 10 seconds after SIGTERM. A busy machine needs longer. */
const platformMs = 30_000;

test('on SIGTERM running requests complete, new connections are refused, and the exit code is 0', async () => {
  const name = 'Begun before the end';
  service = await startProcess({ ...world.environment, SHUTDOWN_DELAY_SECONDS: '1' });
  await fetch(`${service.url}/health/live`);
  const { waiting, end } = await barrier();
  const response = createApp(service.url, name);
  await expect.poll(waiting).toBe(1);
  const stopped = service.stop();
  await expect.poll(isRefused).toBe(true);
  await end();
  expect((await response).status).toBe(201);
  expect(await stopped).toBe(0);
  expect(await world.sql('select from apps where name = $1', [name])).toHaveLength(1);
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

test('each step of a stop that fails is logged with its name, the others run, and the exit code is 1', async () => {
  const NODE_OPTIONS = `--import ${new URL('../support/unclosable-pools.ts', import.meta.url).href}`;
  service = await startProcess({ ...world.environment, NODE_OPTIONS });
  expect(await service.stop()).toBe(1);
  const failed = service.log.filter(({ msg }) => msg === 'a step of the stop failed').map(({ step }) => step);
  expect(failed.toSorted()).toEqual(['database', 'jobs']);
  expect(service.log.at(-1)).toMatchObject({ msg: 'stopped' });
});
