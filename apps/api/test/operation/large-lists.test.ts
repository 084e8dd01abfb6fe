import { beforeAll, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { linkedOrganizations, restrict } from '../support/organizations.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

/** Pages from this offset on are read by another statement. */
const farOffset = 1_000;
const limit = 100;

const world = useWorld();
const tenant = useTenant(world);
const member = useMember(world, tenant, 'viewer');
const restricted = useMember(world, tenant, 'viewer');
interface Listed {
  id: string;
  name: string;
}
/** The tenant's organizations, newest first. */
let stored: Listed[];
beforeAll(async () => {
  await linkedOrganizations(world, tenant.id, farOffset + 2 * limit + 10);
  const columns = 'id, name, alias, federal_tax_id as "federalTaxId", active, listed';
  stored = await world.sql<Listed>(`select ${columns} from organizations order by id desc`);
  const ids = stored.map(({ id }) => id);
  await restrict(world, restricted.id, tenant.id, ids);
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
      const { body } = await world.call<{ data: Listed[] }>(actorOf(), `GET ${path}?limit=${limit}&page=${page}${filter}`);
      expect(body).toMatchObject({ total: stored.length, totalPages, currentPage: page });
      expect(body.data.map(({ id }) => id)).toEqual(stored.slice((page - 1) * limit, page * limit).map(({ id }) => id));
    }
  }
});

test('lists all organizations of a tenant over REST, with a Content-Length, and over tRPC, alone and in a batch', async () => {
  const { body, bytes, headers } = await world.call<{ data: Listed[] }>(member, `GET /api/tenants/${tenant.id}/organizations`);
  expect(body.data).toEqual(stored);
  expect(headers.get('content-length')).toBe(String(bytes.length));
  const client = world.client({ ...member, tenant: tenant.id });
  const list = () => client.tenants.organizations.query({ tenantId: tenant.id });
  const alone = await list();
  const [first, states, second] = await Promise.all([list(), client.states.list.query(), list()]);
  expect([alone.data, first.data, second.data]).toEqual([stored, stored, stored]);
  expect(states.currentPage).toBe(1);
});
