import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, expect, test } from 'vitest';
import { type Actor } from '../support/api.ts';
import { linkTo, organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import { useTenant } from '../support/use-people.ts';

const world = useWorldWithMap();
const [tenant, other] = [useTenant(world), useTenant(world)];
const names = ['own', 'shared', 'foreign', 'free'] as const;
type Name = (typeof names)[number];
/** Records by their list. The organizations are linked to the tenant, to both tenants, to the other tenant, to none. */
const records: Record<string, Record<Name, string>> = {};
beforeAll(async () => {
  for (const name of names) {
    const owner = { own: tenant, shared: tenant, foreign: other, free: undefined }[name];
    const { id, organizationAddressId } = await organizationOf(world, owner);
    const contact = { organizationId: id, type: 'PHONE', value: '1' };
    const { id: contactId } = await world.create<{ id: string }>('POST /api/organization-contacts', contact);
    const ids = { organizations: id, 'organization-addresses': organizationAddressId!, 'organization-contacts': contactId };
    for (const [list, recordId] of Object.entries(ids)) records[list] = { ...records[list]!, [name]: recordId };
  }
  await linkTo(world, other, records['organizations']!.shared);
});

const member = async (
  persona: 'viewer' | 'tenant-admin' | 'coordinator',
  grants?: Name[],
  type: 'Technician' | 'Global' = 'Technician',
) => {
  const person = await world.person({ [tenant.id]: persona, [other.id]: 'tenant-admin' }, { type });
  const organizationIds = grants?.map((name) => records['organizations']![name]);
  if (organizationIds) await restrict(world, person.id, tenant.id, organizationIds);
  return { ...person, tenant: tenant.id };
};

// Rules: ADDRESSES-10, ADDRESSES-13, CONTACTS-5, CONTACTS-8, ORGANIZATIONS-9, ORGANIZATIONS-11, SCOPE-1, SCOPE-2, SCOPE-3, SCOPE-4, SCOPE-5
test.each<[who: string, actorOf: () => Promise<Actor>, visible: readonly Name[]]>([
  ['a Global user without a tenant', async () => world.global, names],
  ['a Global user in a tenant', () => member('viewer', undefined, 'Global'), ['own', 'shared']],
  ['a Global user whose saved scope is RESTRICTED', () => member('viewer', ['own'], 'Global'), ['own', 'shared']],
  ['a member of two tenants in one of them', () => member('viewer'), ['own', 'shared']],
  ['a member of two tenants in the other', async () => ({ ...(await member('viewer')), tenant: other.id }), ['shared', 'foreign']],
  ['a tenant-admin whose saved scope is RESTRICTED', () => member('tenant-admin', ['own']), ['own', 'shared']],
  ['a RESTRICTED member', () => member('coordinator', ['shared']), ['shared']],
  ['a RESTRICTED member without grants', () => member('coordinator', []), []],
  ['a member of a tenant without links', async () => world.person({ [(await world.tenant()).id]: 'tenant-admin' }), []],
])(
  '%s sees organizations, addresses and contacts in the scope, also in totals, by id and by organizationId',
  async (_, actorOf, visible) => {
    const actor = await actorOf();
    const get = (path: string) => world.call<{ data: { id: string }[]; total: number; totalPages: number }>(actor, `GET /api/${path}`);
    for (const [list, ids] of Object.entries(records)) {
      const { data } = (await get(`${list}?limit=100`)).body;
      expect(data.map(({ id }) => names.find((name) => ids[name] === id)).toSorted()).toEqual(visible.toSorted());
      expect((await get(`${list}?limit=1`)).body).toMatchObject({ total: visible.length, totalPages: visible.length });
      for (const name of names) {
        const isVisible = visible.includes(name);
        expect((await get(`${list}/${ids[name]}`)).status).toBe(isVisible ? 200 : 404);
        const refused = { status: 403, code: 'NOT_ALLOWED_ORGANIZATION' };
        const ofOrganization = await get(`${list}?organizationId=${records['organizations']![name]}`);
        expect(ofOrganization).toMatchObject(isVisible ? { body: { total: 1 } } : refused);
      }
      const { code } = await get(`${list}?organizationId=${absentId}`);
      expect(code).toBe(visible.length === names.length ? 'ORGANIZATION_NOT_FOUND' : 'NOT_ALLOWED_ORGANIZATION');
    }
  },
);
