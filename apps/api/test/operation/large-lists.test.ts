import { beforeAll, expect, test } from 'vitest';
import { useMember, useTenant } from '../support/use-people.ts';
import { linkedOrganizations } from '../support/organizations.ts';
import { useWorld } from '../support/world.ts';

const count = 1_203;

const world = useWorld();
const tenant = useTenant(world);
const member = useMember(world, tenant, 'viewer');
beforeAll(async () => {
  await linkedOrganizations(world, tenant.id, count);
});

interface Listed {
  id: string;
  name: string;
}

/** The tenant's organizations in the database. */
const stored = () =>
  world.sql<Listed>('select id, name, alias, federal_tax_id as "federalTaxId", active, listed from organizations order by id desc');

test('lists all organizations of a tenant over REST, with a Content-Length', async () => {
  const { body, bytes, headers } = await world.call<{ data: Listed[] }>(member, `GET /api/tenants/${tenant.id}/organizations`);
  expect(body.data).toEqual(await stored());
  expect(headers.get('content-length')).toBe(String(bytes.length));
});

test('lists them over tRPC, alone and in a batch', async () => {
  const client = world.client({ ...member, tenant: tenant.id });
  const input = { tenantId: tenant.id };
  const alone = await client.tenants.organizations.query(input);
  const [first, states, second] = await Promise.all([
    client.tenants.organizations.query(input),
    client.states.list.query(),
    client.tenants.organizations.query(input),
  ]);
  const data = await stored();
  expect([alone.data, first.data, second.data]).toEqual([data, data, data]);
  expect(states.currentPage).toBe(1);
});
