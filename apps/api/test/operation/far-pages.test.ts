import { beforeAll, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { useTenant } from '../support/use-people.ts';
import { linkedOrganizations, restrict } from '../support/organizations.ts';
import { useWorld } from '../support/world.ts';

/** Pages from this offset on are read by another statement. */
const farOffset = 1_000;
const limit = 100;

const world = useWorld();
const tenant = useTenant(world);
let ids: string[];
beforeAll(async () => {
  await linkedOrganizations(world, tenant.id, farOffset + 2 * limit + 10);
  const rows = await world.sql<{ id: string }>('select id from organizations order by id desc');
  ids = rows.map(({ id }) => id);
});

const actors: Record<string, () => Actor | Promise<Actor>> = {
  'a Global user': () => world.global,
  'a member': () => world.person({ [tenant.id]: 'viewer' }),
  'a RESTRICTED member': async () => {
    const member = await world.person({ [tenant.id]: 'viewer' });
    await restrict(world, member.id, tenant.id, ids);
    return member;
  },
  'an application': () => tenant.service,
};

// Rules: LISTS-1
test.each(Object.keys(actors))('pages far from the first continue the ones before them: %s', async (name) => {
  const actor = (await actors[name]?.()) ?? world.global;
  const path = name === 'an application' ? '/service/organizations' : '/api/organizations';
  for (let page = farOffset / limit; page <= Math.ceil(ids.length / limit) + 1; page += 1) {
    for (const filter of ['', '&listed=true']) {
      const { body } = await world.call<{ data: { id: string }[] }>(actor, `GET ${path}?limit=${limit}&page=${page}${filter}`);
      expect(body).toMatchObject({ total: ids.length, totalPages: Math.ceil(ids.length / limit), currentPage: page });
      expect(body.data.map(({ id }) => id)).toEqual(ids.slice((page - 1) * limit, page * limit));
    }
  }
});
