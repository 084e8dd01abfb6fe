import { beforeAll, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { linkedOrganizations, restrict } from '../support/organizations.ts';
import type { OrganizationPage } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

/** Pages from this offset on are read by another statement. */
const farOffset = 1_000;
const limit = 100;

const world = useWorld();
const tenant = useTenant(world);
const member = useMember(world, tenant, 'viewer');
const restricted = useMember(world, tenant, 'viewer');
/** The ids of the tenant's organizations, newest first. */
let stored: string[];
beforeAll(async () => {
  await linkedOrganizations(world, tenant.id, farOffset + 2 * limit + 10);
  stored = (await world.sql<{ id: string }>('select id from organizations order by id desc')).map(({ id }) => id);
  await restrict(world, restricted.id, tenant.id, stored);
});

// Rules: LISTS-1
test.each<[name: string, path: string, actorOf: () => Actor]>([
  ['a Global user', '/api/organizations', () => world.global],
  ['a member', '/api/organizations', () => member],
  ['a RESTRICTED member', '/api/organizations', () => restricted],
  ['an application', '/service/organizations', () => tenant.service],
])('pages far from the first continue the ones before them: %s', async (_name, path, actorOf) => {
  const totalPages = Math.ceil(stored.length / limit);
  for (let page = farOffset / limit; page <= totalPages + 1; page += 1) {
    for (const filter of ['', '&listed=true']) {
      const { body } = await world.call<OrganizationPage>(actorOf(), `GET ${path}?limit=${limit}&page=${page}${filter}`);
      expect(body).toMatchObject({ total: stored.length, totalPages, currentPage: page });
      expect(body.data.map(({ id }) => id)).toEqual(stored.slice((page - 1) * limit, page * limit));
    }
  }
});
