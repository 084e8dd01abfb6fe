import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startRedis, type TestRedis } from '../../../../test/redis.ts';
import { type Api, createApi } from '../support/api.ts';
import { useWorld } from '../support/world.ts';
import { arrival, cacheOutdatedName, namesAt, notify } from './cached-names.ts';
import { changes } from './changes.ts';

const program = inject('redisServer');

const world = useWorld();
let redis: TestRedis | undefined;
beforeAll(async () => void (redis = program ? await startRedis(program) : undefined));
afterAll(() => redis?.remove());

/** One change for each kind of notification: of users, and of applications that the cache has as known or as unknown. */
const kinds = [
  'a member gets another persona',
  'the tenant of an application is deactivated',
  'a tenant with the client of an application is created',
];

const setups = [
  { setup: 'without Redis', withRedis: [] as number[], tested: Object.keys(changes) },
  { setup: 'with one Redis', withRedis: [0, 1], tested: kinds },
  { setup: 'of which only the changing one has a Redis', withRedis: [0], tested: kinds },
  { setup: 'of which only the other one has a Redis', withRedis: [1], tested: kinds },
];
const possible = setups.filter(({ withRedis }) => program || withRedis.length === 0);

describe.each(possible)('two instances $setup', ({ withRedis, tested }) => {
  let changing: Api;
  let other: Api;
  beforeAll(async () => {
    const start = (index: number) => world.another(withRedis.includes(index) ? { REDIS_URL: redis?.url ?? '' } : {});
    const services = await Promise.all([start(0), start(1)]);
    [changing, other] = services.map(({ url }) => createApi(url)) as [Api, Api];
  });

  // Rules: CACHE-3
  test.each(tested)('apply a change to the next request at one instance, and soon at the other: %s', async (name) => {
    const [read, before, after, change] = await changes[name]!(world);
    const readAt = async (api: Api) => {
      const { code, body } = await api.call(...read);
      return code ?? body;
    };
    for (const api of [changing, other, changing, other]) expect(await readAt(api)).toEqual(before);
    expect((await changing.call(...change)).status).toBeLessThan(300);
    expect(await readAt(changing)).toEqual(after);
    await expect.poll(() => readAt(other), arrival).toEqual(after);
  });

  test('apply the notification of another program', async () => {
    const person = await world.person({ [(await world.tenant()).id]: 'viewer' });
    await cacheOutdatedName(world, person, changing, other);
    await notify(world, { sub: [person.subject] });
    await expect.poll(() => namesAt(person, changing, other), arrival).toEqual(['Current', 'Current']);
  });
});
