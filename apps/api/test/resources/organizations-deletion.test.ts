import { describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { linkTo, organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import type { OrganizationAddressPage, OrganizationContactPage, OrganizationScope } from '../support/records.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

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
  // Rules: LINKS-3, LINKS-4, LINKS-7, ORGANIZATIONS-13, RECORDS-5, SCOPE-13
  test('keeps the row, and hides the organization with its addresses, contacts, links and documents from everybody', async () => {
    const organization = await organizationOf(world, tenant, { contacts });
    const parts = await partsOf(organization.id);
    expect(parts).toHaveLength(2);
    const file = `insert into attachments (id, entity_id, file_path, original_filename, user_id, tenant_id, content_type, size)
      values ($1, $1, 'DOCUMENT/a.pdf', 'a.pdf', $2, $3, 'application/pdf', 1)`;
    await world.sql(file, [organization.id, admin.id, tenant.id]);
    const member = await world.person({ [tenant.id]: 'viewer' });
    await restrict(world, member.id, tenant.id, [organization.id]);

    expect((await remove(organization.id)).status).toBe(204);
    expect(await world.sql('select 1 from organizations where id = $1 and deleted_at is not null', [organization.id])).toHaveLength(1);

    for (const actor of [admin, world.global]) {
      for (const record of [`organizations/${organization.id}`, ...parts])
        for (const method of ['GET', 'PUT', 'DELETE'])
          expect((await world.call(actor, `${method} /api/${record}`, method === 'PUT' ? {} : undefined)).status).toBe(404);
      for (const list of ['organizations', 'organization-addresses', 'organization-contacts']) {
        const refusal = actor === admin ? 'NOT_ALLOWED_ORGANIZATION' : 'ORGANIZATION_NOT_FOUND';
        expect((await world.call(actor, `GET /api/${list}?organizationId=${organization.id}`)).code).toBe(refusal);
        expect(JSON.stringify((await world.call(actor, `GET /api/${list}?limit=100`)).body)).not.toContain(organization.id);
      }
    }
    expect((await world.call(world.global, `GET /api/tenants/${tenant.id}/organizations`)).body).toEqual({ data: [] });
    const scope = `GET /api/users/${member.id}/tenants/${tenant.id}/organizations`;
    expect((await world.call<OrganizationScope>(world.global, scope)).body.organizationIds).toEqual([]);
    const link = `/service/organizations/${organization.id}/tenants`;
    const lookUp = `/service/organizations/federal-tax-id/${organization.federalTaxId}`;
    for (const target of [`POST ${link}`, `DELETE ${link}`, `GET ${lookUp}`])
      expect((await world.call(tenant.service, target)).code).toBe('ORGANIZATION_NOT_FOUND');
  });

  // Rules: ORGANIZATIONS-14
  test('answers ORGANIZATION_IN_USE while another tenant is linked, except for a Global user without tenant', async () => {
    const { id } = await organizationOf(world, tenant);
    await linkTo(world, await world.tenant(), id);
    const member = await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' });
    const granted = await world.person({ [tenant.id]: 'viewer' }, { roles: ['organizations:delete'] });
    await restrict(world, granted.id, tenant.id, [id]);
    for (const actor of [admin, { ...member, tenant: tenant.id }, granted]) {
      expect(await remove(id, actor)).toMatchObject({ status: 409, code: 'ORGANIZATION_IN_USE' });
      expect((await world.call(actor, `GET /api/organizations/${id}`)).status).toBe(200);
    }
    expect((await remove(id, member)).status).toBe(204);
  });
});
