import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { linkTo, organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { type Actor } from '../support/api.ts';
import type { Person, Tenant } from '../support/people.ts';
import type { Organization, OrganizationAddressPage, OrganizationContactPage, OrganizationPage } from '../support/records.ts';

const world = useWorldWithMap();
let tenant: Tenant;
let other: Tenant;
/** Linked to the tenant, to both tenants, to the other tenant, to none. */
const organizations = {} as Record<'own' | 'shared' | 'foreign' | 'free', Organization>;
const contacts = [{ type: 'PHONE', value: '1', isPrimary: true }];
beforeAll(async () => {
  [tenant, other] = [await world.tenant(), await world.tenant()];
  organizations.own = await organizationOf(world, tenant, { contacts });
  organizations.shared = await organizationOf(world, tenant, { contacts });
  await linkTo(world, other, organizations.shared.id);
  organizations.foreign = await organizationOf(world, other, { contacts });
  organizations.free = await organizationOf(world, undefined, { contacts });
});

type Name = keyof typeof organizations;
const everything: Name[] = ['own', 'shared', 'foreign', 'free'];
const nameOf = (id: string) => everything.find((name) => organizations[name].id === id);
const restrict = (person: Person, ...names: Name[]) =>
  world.call(world.global, `PUT /api/users/${person.id}/tenants/${tenant.id}/organizations`, {
    scope: 'RESTRICTED',
    organizationIds: names.map((name) => organizations[name].id),
  });

const inBoth = () => world.person({ [tenant.id]: 'technician', [other.id]: 'tenant-admin' });
const restricted = async (...names: Name[]) => {
  const person = await world.person({ [tenant.id]: 'coordinator' });
  await restrict(person, ...names);
  return person;
};
const globalIn = async () => ({ ...(await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' })), tenant: tenant.id });
const adminWithGrants = async () => {
  const person = await world.person({ [tenant.id]: 'tenant-admin' });
  await restrict(person, 'own');
  return person;
};
const globalWithGrants = async () => {
  const person = await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' });
  await restrict(person, 'own');
  return { ...person, tenant: tenant.id };
};

describe.each<[who: string, actorOf: () => Promise<Actor>, visible: Name[]]>([
  ['a Global user without a tenant', async () => world.global, everything],
  ['a Global user in a tenant', globalIn, ['own', 'shared']],
  ['a Global user whose saved scope is RESTRICTED', globalWithGrants, ['own', 'shared']],
  ['a member of two tenants in one of them', async () => ({ ...(await inBoth()), tenant: tenant.id }), ['own', 'shared']],
  ['a member of two tenants in the other', async () => ({ ...(await inBoth()), tenant: other.id }), ['shared', 'foreign']],
  ['a tenant-admin whose saved scope is RESTRICTED', adminWithGrants, ['own', 'shared']],
  ['a RESTRICTED member', () => restricted('shared'), ['shared']],
  ['a RESTRICTED member without grants', () => restricted(), []],
  ['a member of a tenant without links', async () => world.person({ [(await world.tenant()).id]: 'tenant-admin' }), []],
])('%s', (_, actorOf, visible) => {
  const seesAll = visible.length === everything.length;
  let actor: Actor;
  beforeAll(async () => void (actor = await actorOf()));

  // Rules: ADDRESSES-13, CONTACTS-8, SCOPE-1, SCOPE-2
  test('lists only organizations, addresses and contacts in the scope, with their totals', async () => {
    const { body: list } = await world.call<OrganizationPage>(actor, 'GET /api/organizations?limit=100');
    expect(list.data.map(({ id }) => nameOf(id)).toSorted()).toEqual(visible.toSorted());
    const { body: addresses } = await world.call<OrganizationAddressPage>(actor, 'GET /api/organization-addresses?limit=100');
    const { body: found } = await world.call<OrganizationContactPage>(actor, 'GET /api/organization-contacts?limit=100');
    for (const { data } of [addresses, found])
      expect(data.map(({ organizationId }) => nameOf(organizationId)).toSorted()).toEqual(visible.toSorted());
    const one = visible.length > 0 ? 1 : 0;
    for (const module of ['organizations', 'organization-addresses', 'organization-contacts']) {
      const { body } = await world.call<OrganizationPage>(actor, `GET /api/${module}?limit=1`);
      expect(body).toMatchObject({ total: visible.length, totalPages: visible.length });
      expect(body.data).toHaveLength(one);
    }
  });

  // Rules: ORGANIZATIONS-11, SCOPE-3, SCOPE-4
  test.each(everything)('reads records in the scope by id and by organizationId: %s', async (name) => {
    const { id, organizationAddressId } = organizations[name];
    const isVisible = visible.includes(name);
    const target = `GET /api/organization-contacts?organizationId=${id}`;
    const contactId = (await world.call<OrganizationContactPage>(world.global, target)).body.data[0]?.id;
    const paths = [`organizations/${id}`, `organization-addresses/${organizationAddressId}`, `organization-contacts/${contactId}`];
    for (const path of paths) expect((await world.call(actor, `GET /api/${path}`)).status).toBe(isVisible ? 200 : 404);
    for (const module of ['organizations', 'organization-addresses', 'organization-contacts']) {
      const answer = await world.call(actor, `GET /api/${module}?organizationId=${id}`);
      expect(answer).toMatchObject(isVisible ? { body: { total: 1 } } : { status: 403, code: 'NOT_ALLOWED_ORGANIZATION' });
    }
  });

  // Rules: ADDRESSES-10, CONTACTS-5, ORGANIZATIONS-9, SCOPE-4, SCOPE-5
  test('gets 404 for an unknown organizationId if it sees all organizations, otherwise 403', async () => {
    for (const module of ['organizations', 'organization-addresses', 'organization-contacts']) {
      const { code } = await world.call(actor, `GET /api/${module}?organizationId=${absentId}`);
      expect(code).toBe(seesAll ? 'ORGANIZATION_NOT_FOUND' : 'NOT_ALLOWED_ORGANIZATION');
    }
  });
});
