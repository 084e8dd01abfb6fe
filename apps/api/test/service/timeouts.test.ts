import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { startRedis } from '../../../../test/redis.ts';
import { type Actor, createApi, outcome } from '../support/api.ts';
import { useWorld } from '../support/world.ts';
import { openConnection } from '../transports/connection.ts';

/** Each test compares an instance with a short timeout to one with a longer timeout, which starts to wait first. So no test measures time. */
const world = useWorld();
afterEach(() => (world.identity.faults.admin = 'none'));

/** Locks the table until `end`. `waiting` returns the number of statements that wait for it. */
async function lock(table: string) {
  const locker = new pg.Client({ connectionString: world.databaseUrl });
  await locker.connect();
  await locker.query(`begin; lock table ${table} in access exclusive mode`);
  const text = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  let ending: Promise<void> | undefined;
  const end = () => (ending ??= locker.end());
  onTestFinished(end);
  return { waiting: async () => (await world.sql(text)).length, end };
}

const customers = async (settings: Record<string, string>) => {
  const api = createApi((await world.another(settings)).url);
  return async (caller: Actor = world.global) => outcome(await api.call(caller, 'GET /api/customers'));
};

test('DATABASE_STATEMENT_TIMEOUT_SECONDS: a statement that takes longer is 503', async () => {
  const long = await customers({ DATABASE_STATEMENT_TIMEOUT_SECONDS: '60' });
  const short = await customers({ DATABASE_STATEMENT_TIMEOUT_SECONDS: '1' });
  const { waiting, end } = await lock('customers');
  const patient = long();
  await expect.poll(waiting).toBe(1);
  expect(await short()).toBe('SERVICE_UNAVAILABLE');
  expect(await waiting()).toBe(1);
  await end();
  expect(await patient).toBe(200);
});

describe('DATABASE_POOL_TIMEOUT_SECONDS', () => {
  const settings = { DATABASE_POOL_MAX: '2', DATABASE_STATEMENT_TIMEOUT_SECONDS: '60' };
  const start = async () =>
    [
      await customers({ ...settings, DATABASE_POOL_TIMEOUT_SECONDS: '30' }),
      await customers({ ...settings, DATABASE_POOL_TIMEOUT_SECONDS: '1' }),
    ] as const;

  test('a request that waits longer for a connection is 503', async () => {
    const [long, short] = await start();
    const callers = [world.global, await world.person({}, { type: 'Global' }), await world.person({}, { type: 'Global' })] as const;
    const { waiting, end } = await lock('customers');
    const held = [long, short].flatMap((read) => callers.slice(0, 2).map((caller) => read(caller)));
    await expect.poll(waiting).toBe(4);
    const patient = long(callers[2]);
    expect(await short(callers[2])).toBe('SERVICE_UNAVAILABLE');
    await end();
    expect(await Promise.all([...held, patient])).toEqual([200, 200, 200, 200, 200]);
  });

  test('a request that waits longer for a place of its tenant is 429', async () => {
    const [long, short] = await start();
    const { waiting, end } = await lock('customers');
    const held = [long(), short()];
    await expect.poll(waiting).toBe(2);
    const patient = long();
    expect(await short()).toBe('RATE_LIMITED');
    await end();
    expect(await Promise.all([...held, patient])).toEqual([200, 200, 200]);
  });
});

/** Starts the long wait, then the short one. Returns their names in the order in which they end. */
async function order(wait: { long: () => Promise<unknown>; short: () => Promise<unknown> }): Promise<string[]> {
  const names: string[] = [];
  const long = wait.long().then(() => names.push('long'));
  // With equal timeouts, the long wait would now end first.
  await pause(500);
  await Promise.all([long, wait.short().then(() => names.push('short'))]);
  return names;
}

test('IDENTITY_TIMEOUT_SECONDS: a user creation that waits longer for the provider is 503', async () => {
  const create = async (IDENTITY_TIMEOUT_SECONDS: string) => {
    const api = createApi((await world.another({ IDENTITY_TIMEOUT_SECONDS })).url);
    return async () =>
      expect(outcome(await api.call(world.global, 'POST /api/users', world.newPerson()))).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
  };
  const [long, short] = [await create('4'), await create('1')];
  world.identity.faults.admin = 'hang';
  expect(await order({ long, short })).toEqual(['short', 'long']);
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
  const person = await world.person({}, { type: 'Global' });
  redis.pause();
  const read = async ({ url }: { url: string }) => expect(outcome(await createApi(url).call(person, 'GET /api/customers'))).toBe(200);
  expect(await order({ long: () => read(long), short: () => read(short) })).toEqual(['short', 'long']);
});

describe('a request that arrives too slowly is 400:', () => {
  /** Sends the beginning of a request, and waits until the service has closed the connection. */
  async function send(settings: Record<string, string>, beginning: string): Promise<string> {
    const { socket, closed, until } = await openConnection((await world.another(settings)).port);
    onTestFinished(() => void socket.destroy());
    socket.write(beginning);
    await closed;
    return until('');
  }
  const isBadRequest = /^HTTP\/1\.1 400 /;

  test('HTTP_HEADERS_TIMEOUT_SECONDS', async () => {
    const headers = 'GET / HTTP/1.1\r\nHost: local';
    const sent = (HTTP_HEADERS_TIMEOUT_SECONDS: string) => async () =>
      expect(await send({ HTTP_HEADERS_TIMEOUT_SECONDS }, headers)).toMatch(isBadRequest);
    expect(await order({ long: sent('4'), short: sent('1') })).toEqual(['short', 'long']);
  });

  test('HTTP_REQUEST_TIMEOUT_SECONDS', async () => {
    const lines = [
      'PUT /api/apps/1 HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${world.global.token}`,
      'Content-Type: application/json',
    ];
    const request = [...lines, 'Content-Length: 9', '', ''].join('\r\n');
    const sent = (HTTP_REQUEST_TIMEOUT_SECONDS: string) => async () =>
      expect(await send({ HTTP_HEADERS_TIMEOUT_SECONDS: '1', HTTP_REQUEST_TIMEOUT_SECONDS }, request)).toMatch(isBadRequest);
    expect(await order({ long: sent('4'), short: sent('1') })).toEqual(['short', 'long']);
  });
});

test('HTTP_KEEP_ALIVE_TIMEOUT_SECONDS: a response names it', async () => {
  const { url } = await world.another({ HTTP_KEEP_ALIVE_TIMEOUT_SECONDS: '620' });
  expect((await fetch(`${url}/health/live`)).headers.get('keep-alive')).toBe('timeout=620');
});

test('SHUTDOWN_TIMEOUT_SECONDS: a stop ends then, although a request does not', async () => {
  const [long, short] = [await world.another({ SHUTDOWN_TIMEOUT_SECONDS: '8' }), await world.another({ SHUTDOWN_TIMEOUT_SECONDS: '5' })];
  const { waiting, end } = await lock('customers');
  const cut = [long, short].map(({ url }) =>
    createApi(url)
      .call(world.global, 'GET /api/customers')
      .catch(() => 'aborted'),
  );
  await expect.poll(waiting).toBe(2);
  expect(await order({ long: () => long.stop(), short: () => short.stop() })).toEqual(['short', 'long']);
  expect(await Promise.all(cut)).toEqual(['aborted', 'aborted']);
  await end();
});
