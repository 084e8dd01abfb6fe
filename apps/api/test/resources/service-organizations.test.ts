import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkTo, newOrganization, organizationOf, startWorldWithMap } from '../support/organizations.ts';
import type { Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import { absentId, type Organization, type OrganizationPage, type OrganizationScope } from '../support/records.ts';
import type { World } from '../support/world.ts';

/** Listing and creation are tested together with those of `/api`. */
let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await startWorldWithMap();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const link = (id: string) => world.call(tenant.service, `POST /service/organizations/${id}/tenants`);
const unlink = (id: string, by = tenant) => world.call(by.service, `DELETE /service/organizations/${id}/tenants`);
const linksOf = (id: string) => world.sql('select tenant_id as id from organization_tenants where organization_id = $1', [id]);
const seen = async (by = tenant) =>
  (await world.call<OrganizationPage>(by.service, 'GET /service/organizations?limit=100')).body.data.map(({ id }) => id);
const deleted = async () => {
  const organization = await organizationOf(world);
  await world.call(world.global, `DELETE /api/organizations/${organization.id}`);
  return organization;
};

describe('POST /service/organizations', () => {
  test('uses the tenant of the token and ignores one in body or header', async () => {
    const other = await world.tenant();
    const body = { ...newOrganization(world), tenantId: other.id };
    const { body: made } = await world.call<Organization>({ ...tenant.service, tenant: other.id }, 'POST /service/organizations', body);
    expect(await linksOf(made.id)).toEqual([{ id: tenant.id }]);
  });

  // Rules: ORGANIZATIONS-10
  test('does not exist as get, update or delete of an organization', async () => {
    const { id } = await organizationOf(world, tenant);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await world.call(tenant.service, `${method} /service/organizations/${id}`)).code).toBe('ROUTE_NOT_FOUND');
  });
});

describe('POST /service/organizations/{organizationId}/tenants', () => {
  // Rules: LINKS-2, LINKS-3, SCOPE-9
  test('links an organization of any tenant, returns both ids, and changes nothing if called again', async () => {
    const { id } = await organizationOf(world, await world.tenant());
    expect(await seen()).not.toContain(id);
    for (let time = 0; time < 2; time += 1) {
      expect(await link(id)).toMatchObject({ status: 201, body: { organizationId: id, tenantId: tenant.id } });
      expect((await linksOf(id)).filter((each) => JSON.stringify(each).includes(tenant.id))).toHaveLength(1);
    }
    expect(await seen()).toContain(id);
  });

  // Rules: LINKS-2
  test('makes one link if several calls run at the same time', async () => {
    const { id } = await organizationOf(world);
    const answers = await Promise.all(Array.from({ length: 8 }, () => link(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await linksOf(id)).toHaveLength(1);
  });

  // Rules: LINKS-1
  test('ignores a tenant in the body', async () => {
    const [{ id }, other] = [await organizationOf(world), await world.tenant()];
    await world.call(tenant.service, `POST /service/organizations/${id}/tenants`, { tenantId: other.id });
    expect(await linksOf(id)).toEqual([{ id: tenant.id }]);
  });

  // Rules: LINKS-3
  test('answers ORGANIZATION_NOT_FOUND for an unknown or deleted organization', async () => {
    expect((await link('7')).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'organizationId' }] });
    expect(await link(absentId)).toMatchObject({ status: 404, code: 'ORGANIZATION_NOT_FOUND' });
    expect((await link((await deleted()).id)).code).toBe('ORGANIZATION_NOT_FOUND');
  });

  test('answers CLIENT_NOT_LINKED if the tenant is deleted at the same time', async () => {
    const [{ id }, gone] = [await organizationOf(world), await world.tenant()];
    const request = () => world.call(gone.service, `POST /service/organizations/${id}/tenants`);
    expect((await raceAgainst(world, ['delete from tenants where id = $1', [gone.id]], request)).code).toBe('CLIENT_NOT_LINKED');
  });
});

describe('DELETE /service/organizations/{organizationId}/tenants', () => {
  // Rules: LINKS-4
  test('ends only the link of its own tenant and succeeds again', async () => {
    const [{ id }, other] = [await organizationOf(world, tenant), await world.tenant()];
    await linkTo(world, other, id);
    for (let time = 0; time < 2; time += 1) {
      expect(await unlink(id)).toMatchObject({ status: 204, body: undefined });
      expect(await linksOf(id)).toEqual([{ id: other.id }]);
    }
    expect(await seen()).not.toContain(id);
    expect(await seen(other)).toContain(id);
  });

  // Rules: LINKS-4
  test('succeeds without a link', async () => {
    expect((await unlink((await organizationOf(world)).id)).status).toBe(204);
  });

  // Rules: LINKS-5, MEMBERSCOPES-11
  test('deletes the grants on the organization in this tenant, and a new link does not restore them', async () => {
    const [one, two] = [await organizationOf(world, tenant), await organizationOf(world, tenant)];
    const other = await world.tenant();
    await linkTo(world, other, one.id);
    const person = await world.person({ [tenant.id]: 'viewer', [other.id]: 'viewer' });
    const scopeIn = ({ id }: Tenant) => `/api/users/${person.id}/tenants/${id}/organizations`;
    const grants = async (of: Tenant) =>
      (await world.call<OrganizationScope>(world.global, `GET ${scopeIn(of)}`)).body.organizationIds.toSorted();
    await world.call(world.global, `PUT ${scopeIn(tenant)}`, { scope: 'RESTRICTED', organizationIds: [one.id, two.id] });
    await world.call(world.global, `PUT ${scopeIn(other)}`, { scope: 'RESTRICTED', organizationIds: [one.id] });
    await unlink(one.id);
    expect(await grants(tenant)).toEqual([two.id]);
    expect(await grants(other)).toEqual([one.id]);
    await link(one.id);
    expect(await grants(tenant)).toEqual([two.id]);
    const inTenant = { ...person, tenant: tenant.id };
    expect((await world.call(inTenant, `GET /api/organizations/${one.id}`)).code).toBe('ORGANIZATION_NOT_FOUND');
  });

  // Rules: LINKS-4
  test('answers ORGANIZATION_NOT_FOUND for an unknown or deleted organization', async () => {
    expect(await unlink(absentId)).toMatchObject({ status: 404, code: 'ORGANIZATION_NOT_FOUND' });
    expect((await unlink((await deleted()).id)).code).toBe('ORGANIZATION_NOT_FOUND');
  });
});
