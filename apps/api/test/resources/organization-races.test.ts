import type { Persona } from '@profile-service/contracts';
import { absentId, campinas, praca } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { type Actor, outcome } from '../support/api.ts';
import { organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import { raceAgainst } from '../support/race.ts';
import type { Organization } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';

/** Many changes of one organization at the same time leave consistent data. */
const world = useWorldWithMap();
const tenants = Array.from({ length: 3 }, () => {
  const tenant = useTenant(world);
  return [tenant, useMember(world, tenant, 'viewer')] as const;
});

const call = <Body = Record<string, unknown>>(target: string, body?: unknown) => world.call<Body>(world.global, target, body);
const address = (organizationId: string, actor: Actor = world.global) =>
  world.call(actor, 'POST /api/organization-addresses', { organizationId, ...praca });
const contact = (organizationId: string, actor: Actor = world.global) =>
  world.call(actor, 'POST /api/organization-contacts', {
    organizationId,
    type: 'PHONE',
    value: '1',
    isPrimary: true,
  });

/** Paths of the current addresses or contacts. */
async function partsOf(id: string, module: 'organization-addresses' | 'organization-contacts') {
  const { body } = await call<{ data: { id: string }[] }>(`GET /api/${module}?organizationId=${id}`);
  return (index: number) => `/api/${module}/${body.data.at(index)?.id ?? absentId}`;
}

/** One change of each kind, by one of the tenants. */
async function everyChange({ id, federalTaxId }: Organization, index: number) {
  const [addresses, contacts] = [await partsOf(id, 'organization-addresses'), await partsOf(id, 'organization-contacts')];
  const [{ id: tenantId, service }, member] = tenants[index % tenants.length]!;
  const link = `/service/organizations/${id}/tenants`;
  return Promise.all([
    address(id),
    call(`PUT ${addresses(0)}`, { ...campinas, number: String(index) }),
    call(`DELETE ${addresses(index % 2)}`),
    contact(id),
    call(`PUT ${contacts(0)}`, { isPrimary: true }),
    call(`PUT ${contacts(-1)}`, { value: '2' }),
    call(`DELETE ${contacts(1)}`),
    call(`PUT /api/organizations/${id}`, { metadata: { index } }),
    world.call(service, `POST ${link}`),
    world.call(service, `DELETE ${link}`),
    world.call(service, `GET /service/organizations/federal-tax-id/${federalTaxId}`),
    call(`PUT /api/users/${member.id}/tenants/${tenantId}/organizations`, { scope: 'RESTRICTED', organizationIds: [id] }),
    call(`GET /api/organizations/${id}`),
  ]);
}

const partCodes = ['ORGANIZATION_ADDRESS_NOT_FOUND', 'ORGANIZATION_ADDRESS_NOT_CURRENT', 'ORGANIZATION_CONTACT_NOT_FOUND'];
// On a busy machine some requests wait too long for the database.
const expected: unknown[] = [200, 201, 204, ...partCodes, 'ORGANIZATION_NOT_LINKED_TO_TENANT', 'RATE_LIMITED'];

// Rules: RECORDS-8
test('changes of one organization at the same time succeed or are refused with a specific code, and leave it consistent', async () => {
  const organization = await organizationOf(world, tenants[0]![0], { contacts: [{ type: 'PHONE', value: '1', isPrimary: true }] });
  const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => everyChange(organization, index)));
  for (const answer of answers.flat()) expect(expected).toContain(outcome(answer));
  const { id } = organization;
  const current = await world.sql('select id from organization_addresses where organization_id = $1 and valid_to is null', [id]);
  expect(current.length).toBeLessThanOrEqual(1);
  const { body } = await call<Organization>(`GET /api/organizations/${id}`);
  expect([{ id: body.organizationAddressId }]).toEqual(current.length > 0 ? current : [{ id: null }]);
  const primary = await world.sql('select 1 from organization_contacts where organization_id = $1 and is_primary', [id]);
  expect(primary.length).toBeLessThanOrEqual(1);
});

/** Locks the organization and ends its links or grants. */
const endOf = (table: string, id: string): [text: string, values: unknown[]] => [
  `with locked as (select id from organizations where id = $1 for update) delete from ${table} using locked where organization_id = id`,
  [id],
];

// Rules: RECORDS-8
describe.each<[what: string, persona: Persona, table: string]>([
  ['link', 'tenant-admin', 'organization_tenants'],
  ['grant', 'coordinator', 'membership_organizations'],
])('the %s that brings an organization into scope', (_what, persona, table) => {
  const [tenant] = tenants[0]!;
  const member = useMember(world, tenant, persona);
  const organizationInScope = async () => {
    const organization = await organizationOf(world, tenant, { contacts: [{ type: 'PHONE', value: '1', isPrimary: true }] });
    await restrict(world, member.id, tenant.id, [organization.id]);
    return organization.id;
  };

  test('is locked while an address replaces the current one', async () => {
    const id = await organizationInScope();
    const { status, body } = await raceAgainst(
      world,
      ['select from organization_addresses where organization_id = $1 for update', [id]],
      () => address(id, member),
      (rival) => expect(rival.query(`select from ${table} where organization_id = $1 for update nowait`, [id])).rejects.toThrow('lock'),
    );
    const { body: organization } = await call<Organization>(`GET /api/organizations/${id}`);
    expect([status, organization.organizationAddressId]).toEqual([201, body['id']]);
  });

  test.each([
    ['address', address],
    ['contact', contact],
  ])('ends while a new %s waits, which is refused', async (_part, create) => {
    const id = await organizationInScope();
    expect((await raceAgainst(world, endOf(table, id), () => create(id, member))).code).toBe('NOT_ALLOWED_ORGANIZATION');
  });
});

// Rules: RECORDS-8
test('the link of an organization is locked before its grant is removed, as when the link is deleted', async () => {
  const [tenant] = tenants[0]!;
  const [{ id }, member] = [await organizationOf(world, tenant), await world.person({ [tenant.id]: 'viewer' })];
  await restrict(world, member.id, tenant.id, [id]);
  const { status } = await raceAgainst(
    world,
    ['select from membership_organizations where organization_id = $1 for update', [id]],
    () => call(`PUT /api/users/${member.id}/tenants/${tenant.id}/organizations`, { scope: 'ALL' }),
    (rival) =>
      expect(rival.query('select from organization_tenants where organization_id = $1 for update nowait', [id])).rejects.toThrow('lock'),
  );
  expect(status).toBe(204);
});

describe('the deletion of an organization', () => {
  // Rules: RECORDS-8
  test('makes links, addresses, contacts and changes that wait for it fail with ORGANIZATION_NOT_FOUND', async () => {
    const [{ service }] = tenants[0]!;
    const deletion = 'update organizations set deleted_at = now() where id = $1';
    const waiting: ((organization: Organization) => Promise<unknown>)[] = [
      ({ id }) => world.call(service, `POST /service/organizations/${id}/tenants`),
      ({ id }) => world.call(service, `DELETE /service/organizations/${id}/tenants`),
      ({ federalTaxId }) => world.call(service, `GET /service/organizations/federal-tax-id/${federalTaxId}`),
      ({ id }) => address(id),
      ({ id }) => contact(id),
      ({ id }) => call(`PUT /api/organizations/${id}`, { name: 'Late' }),
      ({ id }) => call(`DELETE /api/organizations/${id}`),
    ];
    for (const request of waiting) {
      const organization = await organizationOf(world);
      const answer = await raceAgainst(world, [deletion, [organization.id]], () => request(organization));
      expect(answer).toMatchObject({ status: 404, code: 'ORGANIZATION_NOT_FOUND' });
    }
  });

  test('is refused if it waits for the end of the tenant’s link', async () => {
    const [tenant] = tenants[0]!;
    const { id } = await organizationOf(world, tenant);
    const admin = await world.person({ [tenant.id]: 'tenant-admin' });
    const answer = await raceAgainst(world, endOf('organization_tenants', id), () => world.call(admin, `DELETE /api/organizations/${id}`));
    expect(answer.code).toBe('ORGANIZATION_NOT_FOUND');
  });

  test('is refused if it waits for another tenant’s link', async () => {
    const [[tenant], [other]] = [tenants[0]!, tenants[1]!];
    const { id } = await organizationOf(world, tenant);
    const admin = await world.person({ [tenant.id]: 'tenant-admin' });
    const link: [string, unknown[]] = [
      `with locked as (select id from organizations where id = $1 for share)
       insert into organization_tenants (tenant_id, organization_id) select $2, id from locked`,
      [id, other.id],
    ];
    expect((await raceAgainst(world, link, () => world.call(admin, `DELETE /api/organizations/${id}`))).code).toBe('ORGANIZATION_IN_USE');
    expect((await call(`GET /api/organizations/${id}`)).status).toBe(200);
  });
});
