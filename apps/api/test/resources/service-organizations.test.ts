import { newOrganization } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { linkTo, organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import type { Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import type { Organization, OrganizationPage, OrganizationScope } from '../support/records.ts';
import { useTenant } from '../support/use-people.ts';

/** The links of organizations to tenants. */
const world = useWorldWithMap();
const tenant = useTenant(world);

const link = ({ id }: Organization, by = tenant) => world.call(by.service, `POST /service/organizations/${id}/tenants`);
const find = ({ federalTaxId }: Pick<Organization, 'federalTaxId'>, by = tenant) =>
  world.call<Organization>(by.service, `GET /service/organizations/federal-tax-id/${federalTaxId}`);
const unlink = ({ id }: Organization, by = tenant) => world.call(by.service, `DELETE /service/organizations/${id}/tenants`);
const linksOf = ({ id }: Organization) => world.sql('select tenant_id as id from organization_tenants where organization_id = $1', [id]);
const seen = async (by = tenant) =>
  (await world.call<OrganizationPage>(by.service, 'GET /service/organizations?limit=100')).body.data.map(({ id }) => id);

describe.each([
  ['POST /service/organizations/{organizationId}/tenants', 201, link],
  ['GET /service/organizations/federal-tax-id/{federalTaxId}', 200, find],
])('%s', (_target, success, request) => {
  // Rules: LINKS-2, LINKS-3, LINKS-6, SCOPE-9
  test('links an organization of any tenant once, also if it is called again', async () => {
    const organization = await organizationOf(world, await world.tenant());
    expect(await seen()).not.toContain(organization.id);
    const body = request === find ? organization : { organizationId: organization.id, tenantId: tenant.id };
    for (let time = 0; time < 2; time += 1) {
      expect(await request(organization)).toMatchObject({ status: success, body });
      expect(await linksOf(organization)).toHaveLength(2);
    }
    expect(await seen()).toContain(organization.id);
  });

  test('answers CLIENT_NOT_LINKED if the tenant is deleted at the same time', async () => {
    const [organization, gone] = [await organizationOf(world), await world.tenant()];
    const deletion: [string, unknown[]] = ['delete from tenants where id = $1', [gone.id]];
    expect((await raceAgainst(world, deletion, () => request(organization, gone))).code).toBe('CLIENT_NOT_LINKED');
  });
});

// Rules: LINKS-1, ORGANIZATIONS-10
test('a link ignores a tenant in the body, and there is no other endpoint of one organization', async () => {
  const [organization, other] = [await organizationOf(world), await world.tenant()];
  const path = `/service/organizations/${organization.id}`;
  await world.call(tenant.service, `POST ${path}/tenants`, { tenantId: other.id });
  expect(await linksOf(organization)).toEqual([{ id: tenant.id }]);
  for (const method of ['GET', 'PUT', 'DELETE'])
    expect((await world.call(tenant.service, `${method} ${path}`)).code).toBe('ROUTE_NOT_FOUND');
});

// Rules: LINKS-6, ORGANIZATIONS-5
test('a federalTaxId is stored and looked up in upper case', async () => {
  const digits = world.newTaxId().slice(-8);
  const { id, federalTaxId } = await organizationOf(world, undefined, { federalTaxId: `aBcDe${digits}` });
  expect(federalTaxId).toBe(`ABCDE${digits}`);
  for (const wanted of [`abcde${digits}`, federalTaxId])
    expect((await find({ federalTaxId: wanted })).body).toMatchObject({ id, federalTaxId });
  const again = { ...newOrganization(world), federalTaxId: `Abcde${digits}` };
  expect((await world.call(world.global, 'POST /api/organizations', again)).code).toBe('ORGANIZATION_ALREADY_EXISTS');
});

// Rules: LINKS-4, LINKS-5, MEMBERSCOPES-11
test('an unlink ends the link and the grants of its own tenant only, and a new link does not restore the grants', async () => {
  const [one, two, other] = [await organizationOf(world, tenant), await organizationOf(world, tenant), await world.tenant()];
  await linkTo(world, other, one.id);
  const person = await world.person({ [tenant.id]: 'viewer', [other.id]: 'viewer' });
  await restrict(world, person.id, tenant.id, [one.id, two.id]);
  await restrict(world, person.id, other.id, [one.id]);
  const grants = async ({ id }: Tenant) =>
    (await world.call<OrganizationScope>(world.global, `GET /api/users/${person.id}/tenants/${id}/organizations`)).body.organizationIds;
  for (let time = 0; time < 2; time += 1) {
    expect(await unlink(one)).toMatchObject({ status: 204, body: undefined });
    expect(await linksOf(one)).toEqual([{ id: other.id }]);
  }
  expect(await seen()).not.toContain(one.id);
  expect(await seen(other)).toContain(one.id);
  expect([await grants(tenant), await grants(other)]).toEqual([[two.id], [one.id]]);
  await link(one);
  expect(await grants(tenant)).toEqual([two.id]);
  const read = await world.call({ ...person, tenant: tenant.id }, `GET /api/organizations/${one.id}`);
  expect(read.code).toBe('ORGANIZATION_NOT_FOUND');
});
