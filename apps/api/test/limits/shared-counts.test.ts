import { Writable } from 'node:stream';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { startRedis, type TestRedis } from '../../../../test/redis.ts';
import { createLog } from '../../src/observability/log.ts';
import { type Actor, type Api, createApi } from '../support/api.ts';
import { startWorld, type World } from '../support/world.ts';

const program = inject('redisServer');
const arrival = { timeout: 20_000, interval: 20 };
const [down, up] = ['cache is down', 'cache is up again'];
/** In an hour, so that no window passes meanwhile. */
const limits = { RATE_LIMIT_CALLER_PER_SECOND: '60', RATE_LIMIT_IDENTITY_PER_SECOND: '3' };

interface Instance {
  api: Api;
  /** What it has logged, but for the line of each request. */
  log: string[];
}

describe.skipIf(!program)('two instances on one Redis', { timeout: 120_000 }, () => {
  let world: World;
  let redis: TestRedis;
  let one: Instance;
  let other: Instance;
  beforeAll(async () => (world = await startWorld()));
  beforeEach(async () => {
    redis = await startRedis(program ?? '');
    [one, other] = [await start(), await start()];
  });
  afterEach(() => redis.remove());
  afterAll(() => world.stop());

  async function start(): Promise<Instance> {
    const log: string[] = [];
    const lines = new Writable({
      write(line: Buffer, _encoding, done) {
        const { msg } = JSON.parse(line.toString()) as { msg: string };
        if (msg !== 'request') log.push(msg);
        done();
      },
    });
    const service = await world.another({ ...limits, REDIS_URL: redis.url }, { limitWindowSeconds: 3600, log: createLog('info', lines) });
    return { api: createApi(service.url), log };
  }
  const person = () => world.person();
  const ask = async ({ api }: Instance, actor: Actor) => (await api.call(actor, 'GET /api/me/tenants')).status;
  const create = async ({ api }: Instance) => (await api.call(world.global, 'POST /api/users', world.newPerson())).status;
  /** How often the caller asks at the instance until they are refused there. */
  async function untilRefused(instance: Instance, actor: Actor): Promise<number> {
    for (let asked = 0; asked < 200; asked += 1) if ((await ask(instance, actor)) === 429) return asked;
    throw new Error('Never refused');
  }
  const states = ({ log }: Instance) => log.filter((msg) => msg === down || msg === up);

  test('let a caller ask as often as one of them would, though no request waits for Redis', async () => {
    const [caller, stranger] = [await person(), await person()];
    let asked = 0;
    for (let refused = 0; refused < 2; asked += 2)
      refused = (await Promise.all([ask(one, caller), ask(other, caller)])).filter((status) => status === 429).length;
    // Each alone would have given them 60, so both 120.
    expect(asked).toBeGreaterThanOrEqual(60);
    expect(asked).toBeLessThan(100);
    expect([await ask(one, stranger), await ask(other, stranger)]).toEqual([200, 200]);
  });

  test('count what reaches the provider exactly', async () => {
    expect([await create(one), await create(other), await create(one)]).toEqual([201, 201, 201]);
    expect([await create(other), await create(one), await create(other)]).toEqual([429, 429, 429]);
    expect(await ask(other, world.global)).toBe(200);
  });

  test('keep nothing in Redis for longer than a window', async () => {
    await create(one);
    await untilRefused(one, await person());
    const inspector = new Redis(redis.url);
    const keys = await inspector.keys('rate_limit:*');
    expect(keys.length).toBeGreaterThanOrEqual(2);
    for (const key of keys) expect(await inspector.ttl(key)).toBeGreaterThan(0);
    inspector.disconnect();
  });

  test.each(['ends', 'hangs'])('that %s go on, each for itself, and say so once', async (how) => {
    const caller = await person();
    await (how === 'ends' ? redis.stop('lose') : redis.pause());
    // The first to notice may wait for a command's limit.
    expect([await create(one), await create(other)]).toEqual([201, 201]);
    expect([await untilRefused(one, caller), await untilRefused(other, caller)]).toEqual([60, 60]);
    expect([await create(one), await create(one), await create(one)]).toEqual([201, 201, 429]);
    await vi.waitFor(() => expect([states(one), states(other)]).toEqual([[down], [down]]), arrival);

    await (how === 'ends' ? redis.start() : redis.resume());
    await vi.waitFor(
      () =>
        expect([states(one), states(other)]).toEqual([
          [down, up],
          [down, up],
        ]),
      arrival,
    );
    const another = await person();
    expect((await untilRefused(one, another)) + (await untilRefused(other, another))).toBeLessThan(120);
  });
});
