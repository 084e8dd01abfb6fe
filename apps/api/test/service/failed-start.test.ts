import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { createLog } from '../../src/observability/log.ts';
import type { ServiceOptions } from '../../src/service.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let observer: pg.Client;
/** A port that is in use: what connects to it gets no response. */
let occupied: Server;
let port: string;
const connections = new Set<Socket>();
/** Settings of a service with a database of its own, so that all connections to it belong to that service. */
let settings: Record<string, string>;

beforeAll(async () => {
  world = await startWorld();
  // Its own sockets and timers come and go.
  await world.service.stop();
});
beforeEach(async () => {
  occupied = createServer((socket) => {
    connections.add(socket);
    // Reads what comes, or it would not see the end of the connection.
    socket
      .resume()
      .on('error', () => undefined)
      .on('close', () => connections.delete(socket));
  });
  await once(occupied.listen(0, '127.0.0.1'), 'listening');
  port = String((occupied.address() as AddressInfo).port);
  const DATABASE_URL = await createTestDatabase();
  settings = { DATABASE_URL, REDIS_URL: `redis://127.0.0.1:${port}` };
  observer = new pg.Client(world.databaseUrl);
  await observer.connect();
});
afterEach(async () => {
  await observer.end();
  occupied.close();
});
afterAll(() => world.stop());

const databaseConnections = async () => {
  const database = new URL(settings['DATABASE_URL'] ?? '').pathname.slice(1);
  return (await observer.query('select application_name from pg_stat_activity where datname = $1', [database])).rowCount;
};
/** Number of open sockets and servers of this process. */
const handles = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP')).length;

async function expectFailure(extra: Record<string, string>, message: string, options?: ServiceOptions): Promise<void> {
  const before = handles();
  await expect(world.another({ ...settings, ...extra }, options)).rejects.toThrow(message);
  await expect.poll(databaseConnections).toBe(0);
  await expect.poll(() => connections.size).toBe(0);
  // Sockets of earlier tests may close meanwhile.
  await expect.poll(handles).toBeLessThanOrEqual(before);
}

test('a start on a port in use closes everything it opened, and a second start on another port works', async () => {
  await expectFailure({ PORT: port }, 'EADDRINUSE');
  const second = await world.another({ ...settings, PORT: '0' });
  expect((await fetch(`${second.url}/health/ready`)).status).toBe(200);
  expect(await databaseConnections()).toBeGreaterThan(0);
  await second.stop();
  await expect.poll(databaseConnections).toBe(0);
});

test('a start with a management port in use stops listening on the other port', async () => {
  await expectFailure({ MANAGEMENT_PORT: port }, 'EADDRINUSE');
});

test('a start that fails before it listens closes everything it opened', async () => {
  const log = createLog('silent');
  // The first fault that the health checks find is that of Redis.
  log.warn = () => {
    throw new Error('the log fails');
  };
  await expectFailure({}, 'the log fails', { log });
});

test('a start that fails at its last step closes everything it opened', async () => {
  const log = createLog('silent');
  log.info = (line: unknown) => {
    if (typeof line === 'object' && line !== null && 'port' in line) throw new Error('the log fails');
  };
  await expectFailure({}, 'the log fails', { log });
});
