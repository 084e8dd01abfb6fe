import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { createTestDatabase } from '../../../../test/database.ts';
import { createLog } from '../../src/observability/log.ts';
import type { ServiceOptions } from '../../src/service/service.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const connections = new Set<Socket>();
/** Accepts connections and does not respond. The service uses its address as Redis, and its port is in use. */
const occupied = createServer((socket) => {
  connections.add(socket);
  // A socket that is not read does not notice the end of its connection.
  socket
    .resume()
    .on('error', () => undefined)
    .on('close', () => connections.delete(socket));
});
let port: string;

beforeAll(async () => {
  // Its sockets would change the number of sockets during a test.
  await world.service.stop();
  port = String(await listen(occupied));
});
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

test.each<[string, () => Record<string, string>, ServiceOptions, string]>([
  ['its port is in use', () => ({ PORT: port }), {}, 'EADDRINUSE'],
  ['its management port is in use', () => ({ MANAGEMENT_PORT: port }), {}, 'EADDRINUSE'],
  ['it fails before it listens', () => ({}), failingLog('warn'), 'the log fails'],
  ['it fails at its last step', () => ({}), failingLog('info'), 'the log fails'],
])('a start closes all connections and ports if %s, and the next start works', async (_case, settings, options, message) => {
  // The database is used only by this service.
  const DATABASE_URL = await createTestDatabase();
  const name = new URL(DATABASE_URL).pathname.slice(1);
  const databaseConnections = async () => (await world.sql('select from pg_stat_activity where datname = $1', [name])).length;
  await world.sql('select');
  const before = handles();

  const start = world.another({ DATABASE_URL, REDIS_URL: `redis://127.0.0.1:${port}`, ...settings() }, options);
  await expect(start).rejects.toThrow(message);
  await expect.poll(databaseConnections).toBe(0);
  await expect.poll(() => connections.size).toBe(0);
  // Sockets of earlier tests may close meanwhile.
  await expect.poll(handles).toBeLessThanOrEqual(before);

  const next = await world.another({ DATABASE_URL });
  expect((await fetch(`${next.url}/health/ready`)).status).toBe(200);
  expect(await databaseConnections()).toBeGreaterThan(0);
  await next.stop();
});
