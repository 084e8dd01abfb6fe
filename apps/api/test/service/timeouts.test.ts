import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, inject, onTestFinished, test } from 'vitest';
import { startRedis } from '../../../../test/redis.ts';
import { type Actor, type Api, outcome } from '../support/api.ts';
import { lockTable } from '../support/race.ts';
import { useWorld } from '../support/world.ts';
import { headOf, openConnection } from '../transports/connection.ts';

/** Each test compares an instance with a short timeout to one with a longer timeout, which starts to wait first. So no test measures time. */
const world = useWorld();
afterEach(() => (world.identity.faults.admin = 'none'));
const newGlobal = () => world.person({}, { type: 'Global' });

const lock = () => lockTable(world, 'customers');

/** The last callers hold the connections for which the first one waits. */
test.each<[setting: string, what: string, code: string, callers: () => Promise<Actor[]>]>([
  ['STATEMENT', 'whose statement takes longer is 503', 'SERVICE_UNAVAILABLE', async () => [world.global]],
  ['POOL', 'that waits longer for a connection is 503', 'SERVICE_UNAVAILABLE', () => Promise.all([1, 2, 3].map(newGlobal))],
  ['POOL', 'that waits longer for a place of its tenant is 429', 'RATE_LIMITED', async () => [world.global, world.global]],
])('DATABASE_%s_TIMEOUT_SECONDS: a request %s', async (setting, _what, code, callersOf) => {
  const start = async (seconds: string) => {
    const timeouts = { DATABASE_STATEMENT_TIMEOUT_SECONDS: '60', [`DATABASE_${setting}_TIMEOUT_SECONDS`]: seconds };
    const api = await world.another({ DATABASE_POOL_MAX: '2', ...timeouts });
    return async (caller?: Actor) => outcome(await api.call(caller ?? world.global, 'GET /api/customers'));
  };
  const [long, short] = [await start('30'), await start('1')];
  const [first, ...holders] = await callersOf();
  const { waiting, end } = await lock();
  const held = [long, short].flatMap((read) => holders.map((caller) => read(caller)));
  await expect.poll(waiting).toBe(held.length);
  const patient = long(first);
  expect(await short(first)).toBe(code);
  await end();
  expect(new Set(await Promise.all([...held, patient]))).toEqual(new Set([200]));
});

/** Starts the long wait, then the short one, which must end first. */
async function expectShorter({ long, short }: Record<'long' | 'short', () => Promise<unknown>>): Promise<void> {
  const names: string[] = [];
  const first = long().then(() => names.push('long'));
  // With equal timeouts, the long wait would now end first.
  await pause(500);
  await Promise.all([first, short().then(() => names.push('short'))]);
  expect(names).toEqual(['short', 'long']);
}

test('IDENTITY_TIMEOUT_SECONDS: a user creation that waits longer for the provider is 503', async () => {
  const create = async (IDENTITY_TIMEOUT_SECONDS: string) => {
    const api = await world.another({ IDENTITY_TIMEOUT_SECONDS });
    return async () =>
      expect(outcome(await api.call(world.global, 'POST /api/users', world.newPerson()))).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
  };
  const [long, short] = [await create('4'), await create('1')];
  world.identity.faults.admin = 'hang';
  await expectShorter({ long, short });
});

const program = inject('redisServer');
test.skipIf(!program)('REDIS_TIMEOUT_MILLISECONDS: a request waits so long for a Redis that hangs', async () => {
  const redis = await startRedis(program ?? '');
  const start = (REDIS_TIMEOUT_MILLISECONDS: string) => world.another({ REDIS_URL: redis.url, REDIS_TIMEOUT_MILLISECONDS });
  const [long, short] = [await start('1500'), await start('10')];
  onTestFinished(async () => {
    redis.resume();
    await Promise.all([long.stop(), short.stop()]);
    await redis.remove();
  });
  // Neither instance has cached this caller.
  const person = await newGlobal();
  redis.pause();
  const read = async ({ call }: Api) => expect(outcome(await call(person, 'GET /api/customers'))).toBe(200);
  await expectShorter({ long: () => read(long), short: () => read(short) });
});

const json = 'Content-Type: application/json';
test.each<[setting: string, request: () => string]>([
  ['HTTP_HEADERS_TIMEOUT_SECONDS', () => 'GET / HTTP/1.1\r\nHost: local'],
  ['HTTP_REQUEST_TIMEOUT_SECONDS', () => headOf('PUT /api/apps/1', world.global, json, 'Content-Length: 9')],
])('%s: a request that arrives more slowly is 400', async (setting, request) => {
  /** Sends the beginning of a request, and waits until the service has closed the connection. */
  const sent = (seconds: string) => async () => {
    const { port } = await world.another({ HTTP_HEADERS_TIMEOUT_SECONDS: '1', [setting]: seconds });
    const { socket, closed, until } = await openConnection(port);
    socket.write(request());
    await closed;
    expect(await until('')).toMatch(/^HTTP\/1\.1 400 /);
  };
  await expectShorter({ long: sent('4'), short: sent('1') });
});

test('SHUTDOWN_TIMEOUT_SECONDS: a stop ends then, although a request does not, and HTTP_KEEP_ALIVE_TIMEOUT_SECONDS is in responses', async () => {
  const start = (seconds: string) => world.another({ SHUTDOWN_TIMEOUT_SECONDS: seconds, HTTP_KEEP_ALIVE_TIMEOUT_SECONDS: '620' });
  const [long, short] = [await start('8'), await start('5')];
  expect((await fetch(`${long.url}/health/live`)).headers.get('keep-alive')).toBe('timeout=620');
  const { waiting, end } = await lock();
  const cut = [long, short].map(({ call }) => call(world.global, 'GET /api/customers').catch(() => 'aborted'));
  await expect.poll(waiting).toBe(2);
  await expectShorter({ long: () => long.stop(), short: () => short.stop() });
  expect(await Promise.all(cut)).toEqual(['aborted', 'aborted']);
  await end();
});
