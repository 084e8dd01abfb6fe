import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { startRedis, type TestRedis } from '../../../../test/redis.ts';
import { type Api, createApi } from '../support/api.ts';
import { linkedOrganization, restrict } from '../support/organizations.ts';
import type { Permissions } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';
import { changes } from './invalidation.ts';
import { arrival } from './memory.ts';

const program = inject('redisServer');

let world: World;
let redis: TestRedis | undefined;
beforeAll(async () => {
  world = await startWorld();
  if (program) redis = await startRedis(program);
});
afterAll(async () => {
  await world.stop();
  await redis?.remove();
});

const settingsOf = {
  'without Redis': () => [{}, {}],
  'on one Redis': () => [{ REDIS_URL: redis?.url ?? '' }, { REDIS_URL: redis?.url ?? '' }],
  'of which one alone has a Redis': () => [{}, { REDIS_URL: redis?.url ?? '' }],
};

describe.each(Object.entries(settingsOf))('of two instances %s', (name, settings) => {
  let one: Api;
  let other: Api;
  beforeAll(async () => {
    if (name !== 'without Redis' && !program) return;
    const services = await Promise.all(settings().map((extra) => world.another(extra)));
    [one, other] = services.map(({ url }) => createApi(url)) as [Api, Api];
  });

  describe.skipIf(name !== 'without Redis' && !program)('both know at once that', () => {
    test.each(Object.entries(changes))('%s', async (_name, prepare) => {
      const { look, before, after, make } = await prepare(world);
      for (const api of [one, other, one, other]) expect(await look(api)).toEqual(before);
      await make(one);
      expect(await look(one)).toEqual(after);
      await vi.waitFor(async () => expect(await look(other)).toEqual(after), arrival);
    });

    test('a program beside them changed a membership and said so', async () => {
      const tenant = await world.tenant();
      const person = await world.person({ [tenant.id]: 'viewer' });
      const scopeAt = async (api: Api) => (await api.call<Permissions>(person, 'GET /api/me/permissions')).body.organizationScope;
      expect([await scopeAt(one), await scopeAt(other)]).toEqual(['TENANT', 'TENANT']);
      await restrict(world, person.id, tenant.id, [await linkedOrganization(world, tenant.id)]);
      await world.sql("select pg_notify('profile_caller_invalidation', $1)", [JSON.stringify({ sub: [person.subject] })]);
      await vi.waitFor(async () => expect([await scopeAt(one), await scopeAt(other)]).toEqual(['RESTRICTED', 'RESTRICTED']), arrival);
    });

    test('and in both directions: the one that made a change knows it with its very next request', async () => {
      const { look, before, after, make } = await changes['a persona is changed'](world);
      for (const api of [one, other, other]) expect(await look(api)).toEqual(before);
      await make(other);
      expect(await look(other)).toEqual(after);
      await vi.waitFor(async () => expect(await look(one)).toEqual(after), arrival);
    });
  });
});
