import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startRedis, type TestRedis } from '../../../../test/redis.ts';
import { createLog } from '../../src/observability/log.ts';
import { startWorld, type World } from '../support/world.ts';

const program = inject('redisServer');
const password = 'a-secret-value';

let world: World;
let open: TestRedis;
let secured: TestRedis;

/** Starts a service with this Redis. `told` has the log lines about the cache, each with its reason. */
async function start(redisUrl: string, healthIntervalMs = 100) {
  const log: string[] = [];
  const service = await world.another(
    { REDIS_URL: redisUrl },
    { healthIntervalMs, log: createLog('info', { write: (line) => log.push(line) }) },
  );
  return {
    service,
    cache: () => [service.health.report().checks.cache, service.health.detailedReport().reasons.cache],
    told: () =>
      log
        .map((line) => JSON.parse(line) as { msg: string; part?: string; reason?: string })
        .filter(({ part }) => part === 'cache')
        .map(({ msg, reason }) => (reason === undefined ? msg : `${msg}: ${reason}`)),
    text: () => log.join(''),
  };
}

const withPassword = (given: string) => Object.assign(new URL(secured.url), { password: given }).href;
const unanswered = 'Redis does not respond: check that it runs, and the host and port in REDIS_URL.';

describe.skipIf(!program)('the check of the cache', () => {
  beforeAll(async () => {
    world = await startWorld();
    [open, secured] = await Promise.all([startRedis(program ?? ''), startRedis(program ?? '', ['--requirepass', password])]);
  });
  afterAll(async () => {
    await world.stop();
    await Promise.all([open.remove(), secured.remove()]);
  });

  // Rules: HEALTH-3
  test('succeeds from the start if Redis works', async () => {
    // No later check can correct the first one.
    const { cache, told } = await start(open.url, 600_000);
    expect(cache()).toEqual(['ok', undefined]);
    expect(told()).toEqual([]);
  });

  // Rules: HEALTH-6
  test('fails while Redis hangs, also if the service starts then, and succeeds afterwards', async () => {
    const { cache, told } = await start(open.url);
    open.pause();
    await expect.poll(cache).toEqual(['down', unanswered]);
    const late = await start(open.url);
    expect(late.cache()).toEqual(['down', unanswered]);
    open.resume();
    await expect.poll(cache).toEqual(['ok', undefined]);
    await expect.poll(late.cache).toEqual(['ok', undefined]);
    expect(told()).toEqual([`cache is down: ${unanswered}`, 'cache is up again']);
  });

  test.each<[string, () => string, string]>([
    ['a wrong password', () => withPassword('guess'), 'Redis rejects the user or the password in REDIS_URL: correct them.'],
    [
      'a Redis without TLS',
      () => open.url.replace('redis:', 'rediss:'),
      'Redis does not accept the connection in time: check the host and port in REDIS_URL, and with rediss that Redis uses TLS there.',
    ],
    ['a missing password', () => secured.url, 'Redis requires a password: add it to REDIS_URL, as in redis://:password@host:6379.'],
  ])('names %s in one sentence', async (_fault, url, reason) => {
    const { cache, told, text } = await start(url());
    expect(cache()).toEqual(['down', reason]);
    expect(told()).toEqual([`cache is down: ${reason}`]);
    expect(text()).not.toContain(password);
    expect(text()).not.toContain('guess');
  });

  test('succeeds with the right password', async () => {
    const { cache } = await start(withPassword(password));
    expect(cache()).toEqual(['ok', undefined]);
  });
});
