import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApi } from '../support/api.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { startProxy } from '../support/proxy.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let service: ServiceProcess;
beforeAll(async () => (world = await startWorld()));
afterAll(() => world.stop());

const app = (name: string) => createApi(service.url).call(world.global, 'POST /api/apps', { name });

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

const isRefused = async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const refused = await Promise.race([once(socket, 'connect').then(() => false), once(socket, 'error').then(() => true)]).catch(() => true);
  socket.destroy();
  return refused;
};

/** Platforms kill a service after 10 seconds. A busy machine needs longer. */
const platformMs = 30_000;

describe('on SIGTERM', () => {
  beforeEach(async () => (service = await startProcess(world.environment)));
  afterEach(() => service.kill());

  test('an idle service exits with 0, also with open connections', async () => {
    const idle = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(idle, 'connect');
    await fetch(`${service.url}/health/live`);
    expect(await service.stop()).toBe(0);
    idle.destroy();
  });

  test('running requests complete, and new ones are refused', async () => {
    const { waiting, open } = await barrier();
    const answer = app('Begun before the end');
    await expect.poll(waiting).toBe(1);
    const stopped = service.stop();
    await expect.poll(isRefused).toBe(true);
    await open();
    expect((await answer).status).toBe(201);
    expect(await stopped).toBe(0);
    expect(await world.sql("select from apps where name = 'Begun before the end'")).toHaveLength(1);
  });

  test('requests that do not complete are aborted in time and rolled back', async () => {
    const { waiting, open } = await barrier();
    const answer = app('Never ends').catch(() => 'cut off');
    await expect.poll(waiting).toBe(1);
    const tooLate = pause(platformMs, 'too late', { ref: false });
    expect(await Promise.race([service.stop(), tooLate])).toBe(0);
    expect(await answer).toBe('cut off');
    await open();
    await expect.poll(waiting).toBe(0);
    expect(await world.sql("select from apps where name = 'Never ends'")).toHaveLength(0);
  });
});

test('the service stops in time if the database hangs', async () => {
  const proxy = await startProxy(world.databaseUrl);
  const { url, stop } = await world.another({ DATABASE_URL: proxy.url });
  const { waiting, open } = await barrier();
  const answer = createApi(url)
    .call(world.global, 'POST /api/apps', { name: 'Hangs' })
    .catch(() => 'cut off');
  await expect.poll(waiting).toBe(1);
  proxy.freeze();
  const tooLate = pause(platformMs, 'too late', { ref: false });
  expect(await Promise.race([stop(), tooLate])).toBeUndefined();
  expect(await answer).toBe('cut off');
  await open();
  await proxy.stop();
});
