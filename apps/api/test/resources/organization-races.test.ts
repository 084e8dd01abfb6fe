import { absentId, campinas, praca } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { Person, Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import type { Organization, OrganizationAddressPage, OrganizationContactPage } from '../support/records.ts';

/** Many changes of one organization at the same time leave consistent data. */
const world = useWorldWithMap();
let tenants: Tenant[];
let members: Person[];
beforeAll(async () => {
  tenants = [await world.tenant(), await world.tenant(), await world.tenant()];
  members = [];
  for (const { id } of tenants) members.push(await world.person({ [id]: 'viewer' }));
});

const call = <Body = Record<string, unknown>>(target: string, body?: unknown) => world.call<Body>(world.global, target, body);
const address = (organizationId: string) => call<{ id: string }>('POST /api/organization-addresses', { organizationId, ...praca });
const contact = (organizationId: string) =>
  call<{ id: string }>('POST /api/organization-contacts', { organizationId, type: 'PHONE', value: '1', isPrimary: true });

/** Paths of the current addresses or contacts; a deleted organization has none. */
async function partsOf(id: string, module: 'organization-addresses' | 'organization-contacts') {
  const { body } = await call<Partial<OrganizationAddressPage | OrganizationContactPage>>(`GET /api/${module}?organizationId=${id}`);
  const ids = (body.data ?? []).map((part) => part.id);
  return (index: number) => `/api/${module}/${ids.at(index) ?? absentId}`;
}

/** One change of each kind, by one of the tenants. */
async function everyChange({ id, federalTaxId }: Organization, index: number) {
  const [addresses, contacts] = [await partsOf(id, 'organization-addresses'), await partsOf(id, 'organization-contacts')];
  const [tenant, member] = [tenants[index % tenants.length] as Tenant, members[index % members.length] as Person];
  const link = `/service/organizations/${id}/tenants`;
  const scope = { scope: 'RESTRICTED', organizationIds: [id] };
  return Promise.all([
    address(id),
    call(`PUT ${addresses(0)}`, { ...campinas, number: String(index) }),
    call(`DELETE ${addresses(index % 2)}`),
    contact(id),
    call(`PUT ${contacts(0)}`, { isPrimary: true }),
    call(`PUT ${contacts(-1)}`, { value: '2' }),
    call(`DELETE ${contacts(1)}`),
    call(`PUT /api/organizations/${id}`, { metadata: { index } }),
    world.call(tenant.service, `POST ${link}`),
    world.call(tenant.service, `DELETE ${link}`),
    world.call(tenant.service, `GET /service/organizations/federal-tax-id/${federalTaxId}`),
    call(`PUT /api/users/${member.id}/tenants/${tenant.id}/organizations`, scope),
    call(`GET /api/organizations/${id}`),
  ]);
}

const reasons: unknown[] = [
  200,
  201,
  204,
  'ORGANIZATION_ADDRESS_NOT_FOUND',
  'ORGANIZATION_ADDRESS_NOT_CURRENT',
  'ORGANIZATION_CONTACT_NOT_FOUND',
  'ORGANIZATION_NOT_LINKED_TO_TENANT',
  // On a busy machine some requests wait too long for the database.
  'RATE_LIMITED',
];

describe('changes of one organization at the same time', () => {
  // Rules: RECORDS-8
  test('succeed or are refused with a specific code, and leave one current address, one primary contact and no grant without link', async () => {
    const organization = await organizationOf(world, tenants[0], { contacts: [{ type: 'PHONE', value: '1', isPrimary: true }] });
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => everyChange(organization, index)));
    for (const { status, code } of answers.flat()) expect(reasons).toContain(code ?? status);
    const { id } = organization;
    const current = await world.sql('select id from organization_addresses where organization_id = $1 and valid_to is null', [id]);
    expect(current.length).toBeLessThanOrEqual(1);
    const { body } = await call<Organization>(`GET /api/organizations/${id}`);
    expect([{ id: body.organizationAddressId }]).toEqual(current.length > 0 ? current : [{ id: null }]);
    const primary = await world.sql('select 1 from organization_contacts where organization_id = $1 and is_primary', [id]);
    expect(primary.length).toBeLessThanOrEqual(1);
    const orphans = `select 1 from membership_organizations as g where not exists (
      select 1 from organization_tenants as l where l.organization_id = g.organization_id and l.tenant_id = g.tenant_id)`;
    expect(await world.sql(orphans)).toEqual([]);
  });
});

describe('the deletion of an organization', () => {
  const deletion = 'update organizations set deleted_at = now() where id = $1';
  const remove = (id: string, actor = world.global) => world.call(actor, `DELETE /api/organizations/${id}`);

  // Rules: RECORDS-8
  test('makes links, addresses, contacts and changes that wait for it fail with ORGANIZATION_NOT_FOUND', async () => {
    const waiting = [
      ({ id }: Organization) => world.call((tenants[0] as Tenant).service, `POST /service/organizations/${id}/tenants`),
      ({ id }: Organization) => world.call((tenants[0] as Tenant).service, `DELETE /service/organizations/${id}/tenants`),
      ({ federalTaxId }: Organization) =>
        world.call((tenants[0] as Tenant).service, `GET /service/organizations/federal-tax-id/${federalTaxId}`),
      ({ id }: Organization) => address(id),
      ({ id }: Organization) => contact(id),
      ({ id }: Organization) => call(`PUT /api/organizations/${id}`, { name: 'Late' }),
      ({ id }: Organization) => remove(id),
    ];
    for (const request of waiting) {
      const organization = await organizationOf(world);
      const answer = await raceAgainst(world, [deletion, [organization.id]], () => request(organization));
      expect(answer).toMatchObject({ status: 404, code: 'ORGANIZATION_NOT_FOUND' });
    }
  });

  test('is refused if it waits for another tenant’s link', async () => {
    const [tenant, other] = tenants as [Tenant, Tenant];
    const { id } = await organizationOf(world, tenant);
    const admin = await world.person({ [tenant.id]: 'tenant-admin' });
    const link: [string, unknown[]] = [
      `with locked as (select id from organizations where id = $1 for share)
       insert into organization_tenants (tenant_id, organization_id) select $2, id from locked`,
      [id, other.id],
    ];
    expect((await raceAgainst(world, link, () => remove(id, admin))).code).toBe('ORGANIZATION_IN_USE');
    expect((await call(`GET /api/organizations/${id}`)).status).toBe(200);
  });
});
