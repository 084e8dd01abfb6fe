import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { linkTo, organizationOf, startWorldWithMap } from '../support/organizations.ts';
import type { Person, Tenant } from '../support/people.ts';
import type { OrganizationAddressPage, OrganizationContactPage, OrganizationScope } from '../support/records.ts';
import type { World } from '../support/world.ts';

let world: World;
let tenant: Tenant;
let admin: Person;
beforeAll(async () => {
  world = await startWorldWithMap();
  tenant = await world.tenant();
  admin = await world.person({ [tenant.id]: 'tenant-admin' });
});
afterAll(() => world.stop());

const remove = (id: string, actor: Actor = admin) => world.call(actor, `DELETE /api/organizations/${id}`);
const contacts = [{ type: 'PHONE', value: '1', isPrimary: true }];
const partsOf = async (id: string) => {
  const of = `organizationId=${id}`;
  const { body: addresses } = await world.call<OrganizationAddressPage>(world.global, `GET /api/organization-addresses?${of}`);
  const { body: found } = await world.call<OrganizationContactPage>(world.global, `GET /api/organization-contacts?${of}`);
  return [
    ...addresses.data.map((address) => `organization-addresses/${address.id}`),
    ...found.data.map((contact) => `organization-contacts/${contact.id}`),
  ];
};

describe('DELETE /api/organizations/{id}', () => {
  // Rules: ORGANIZATIONS-13, RECORDS-5, SCOPE-13
  test('hides the organization with its addresses, contacts, links and documents from everybody', async () => {
    const organization = await organizationOf(world, tenant, { contacts });
    const parts = await partsOf(organization.id);
    expect(parts).toHaveLength(2);
    const file = `insert into attachments (id, entity_id, file_path, original_filename, user_id, tenant_id, content_type, size)
      values ($1, $1, 'DOCUMENT/a.pdf', 'a.pdf', $2, $3, 'application/pdf', 1)`;
    await world.sql(file, [organization.id, admin.id, tenant.id]);
    const member = await world.person({ [tenant.id]: 'viewer' });
    const scope = `/api/users/${member.id}/tenants/${tenant.id}/organizations`;
    await world.call(world.global, `PUT ${scope}`, { scope: 'RESTRICTED', organizationIds: [organization.id] });

    const { status, body } = await remove(organization.id);
    expect({ status, body }).toEqual({ status: 204, body: undefined });

    for (const actor of [admin, world.global]) {
      expect((await world.call(actor, `GET /api/organizations/${organization.id}`)).code).toBe('ORGANIZATION_NOT_FOUND');
      expect((await world.call(actor, `PUT /api/organizations/${organization.id}`, {})).code).toBe('ORGANIZATION_NOT_FOUND');
      expect((await remove(organization.id, actor)).code).toBe('ORGANIZATION_NOT_FOUND');
      for (const part of parts) {
        expect((await world.call(actor, `GET /api/${part}`)).status).toBe(404);
        expect((await world.call(actor, `PUT /api/${part}`, {})).status).toBe(404);
        expect((await world.call(actor, `DELETE /api/${part}`)).status).toBe(404);
      }
      for (const list of ['organizations', 'organization-addresses', 'organization-contacts']) {
        const refusal = actor === admin ? 'NOT_ALLOWED_ORGANIZATION' : 'ORGANIZATION_NOT_FOUND';
        expect((await world.call(actor, `GET /api/${list}?organizationId=${organization.id}`)).code).toBe(refusal);
        expect(JSON.stringify((await world.call(actor, `GET /api/${list}?limit=100`)).body)).not.toContain(organization.id);
      }
    }
    expect((await world.call(world.global, `GET /api/tenants/${tenant.id}/organizations`)).body).toEqual({ data: [] });
    expect((await world.call<OrganizationScope>(world.global, `GET ${scope}`)).body.organizationIds).toEqual([]);
    const service = `/service/organizations/${organization.id}/tenants`;
    expect((await world.call(tenant.service, `POST ${service}`)).code).toBe('ORGANIZATION_NOT_FOUND');
    expect((await world.call(tenant.service, `DELETE ${service}`)).code).toBe('ORGANIZATION_NOT_FOUND');
    const lookUp = `GET /service/organizations/federal-tax-id/${organization.federalTaxId}`;
    expect((await world.call(tenant.service, lookUp)).code).toBe('ORGANIZATION_NOT_FOUND');
  });

  // Rules: ORGANIZATIONS-13
  test('keeps the database row with deletedAt', async () => {
    const { id } = await organizationOf(world, tenant);
    await remove(id);
    expect(await world.sql('select 1 from organizations where id = $1 and deleted_at is not null', [id])).toHaveLength(1);
  });

  // Rules: RECORDS-3
  test('frees the federalTaxId for a new organization', async () => {
    const { id, federalTaxId } = await organizationOf(world, tenant);
    await remove(id);
    const again = await organizationOf(world, undefined, { federalTaxId });
    expect(again.id).not.toBe(id);
    const lookUp = `GET /service/organizations/federal-tax-id/${federalTaxId}`;
    expect((await world.call(tenant.service, lookUp)).body).toMatchObject({ id: again.id });
  });

  // Rules: ORGANIZATIONS-14
  test('answers ORGANIZATION_IN_USE while another tenant is linked, except for a Global user without tenant', async () => {
    const { id } = await organizationOf(world, tenant);
    await linkTo(world, await world.tenant(), id);
    const member = await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' });
    const granted = await world.person({ [tenant.id]: 'viewer' }, { roles: ['organizations:delete'] });
    const scope = `/api/users/${granted.id}/tenants/${tenant.id}/organizations`;
    await world.call(world.global, `PUT ${scope}`, { scope: 'RESTRICTED', organizationIds: [id] });
    for (const actor of [admin, { ...member, tenant: tenant.id }, granted]) {
      expect(await remove(id, actor)).toMatchObject({ status: 409, code: 'ORGANIZATION_IN_USE' });
      expect((await world.call(actor, `GET /api/organizations/${id}`)).status).toBe(200);
    }
    expect((await remove(id, member)).status).toBe(204);
  });

  test('succeeds for the last tenant after the others have unlinked the organization', async () => {
    const [{ id }, other] = [await organizationOf(world, tenant), await world.tenant()];
    await linkTo(world, other, id);
    expect((await remove(id)).code).toBe('ORGANIZATION_IN_USE');
    await world.call(other.service, `DELETE /service/organizations/${id}/tenants`);
    expect((await remove(id)).status).toBe(204);
  });
});
