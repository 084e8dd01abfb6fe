import type { Persona, UserType } from '@profile-service/contracts';
import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import type { Permissions } from '../support/records.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const tenants = {} as Record<'one' | 'two' | 'inactive', Tenant>;
beforeAll(async () => {
  tenants.one = await world.tenant();
  tenants.two = await world.tenant();
  tenants.inactive = await world.tenant({ active: false });
});

/** null: an old membership without persona. */
type Memberships = Partial<Record<keyof typeof tenants, Persona | null>>;

/** The response to a user with these memberships: the active tenant and the scope, or the code of a request that needs a tenant. */
async function contextOf(type: UserType, memberships: Memberships, tenant?: string): Promise<unknown> {
  const byId = Object.entries(memberships).map(([name, persona]) => [tenants[name as keyof typeof tenants].id, persona ?? 'viewer']);
  const person = await world.person(Object.fromEntries(byId), { type });
  for (const [name, persona] of Object.entries(memberships)) {
    const key = [person.id, tenants[name as keyof typeof tenants].id];
    if (persona === null) await world.sql('update memberships set persona = null where user_id = $1 and tenant_id = $2', key);
  }
  const actor = { ...person, ...(tenant === undefined ? {} : { tenant }) };
  const states = await world.call(actor, 'GET /api/states');
  const { tenantId, persona, organizationScope } = (await world.call<Permissions>(actor, 'GET /api/me/permissions')).body;
  if (states.status === 200) return { tenantId, persona, organizationScope };
  expect({ tenantId, persona, organizationScope }).toEqual({ tenantId: null, persona: null, organizationScope: 'NONE' });
  return outcome(states);
}

describe.each([
  ['without X-Tenant-Id', undefined],
  ['with an empty X-Tenant-Id', ''],
])('%s', (_header, header) => {
  // Rules: TENANT-1
  test.each<[Memberships]>([[{}], [{ one: 'viewer' }], [{ one: 'viewer', two: 'viewer' }], [{ one: null }]])(
    'a Global user has no active tenant and sees all organizations, whatever the memberships: %j',
    async (memberships) => {
      expect(await contextOf('Global', memberships, header)).toEqual({ tenantId: null, persona: null, organizationScope: 'ALL' });
    },
  );

  // Rules: TENANT-2, TENANT-4
  test.each<[Memberships]>([[{ one: 'technician' }], [{ one: 'technician', inactive: 'tenant-admin' }]])(
    'a user with one membership in an active tenant works in that tenant: %j',
    async (memberships) => {
      const expected = { tenantId: tenants.one.id, persona: 'technician', organizationScope: 'TENANT' };
      expect(await contextOf('Technician', memberships, header)).toEqual(expected);
    },
  );

  // Rules: TENANT-3, TENANT-4
  test.each<[Memberships]>([[{}], [{ inactive: 'viewer' }], [{ one: 'viewer', two: 'viewer' }], [{ one: 'viewer', two: null }]])(
    'a user with no or several memberships in active tenants gets ACTIVE_TENANT_REQUIRED: %j',
    async (memberships) => {
      expect(await contextOf('Technician', memberships, header)).toBe('ACTIVE_TENANT_REQUIRED');
    },
  );

  // Rules: TENANT-7
  test('a user whose only membership has no persona gets PERSONA_NOT_ASSIGNED', async () => {
    expect(await contextOf('Technician', { one: null }, header)).toBe('PERSONA_NOT_ASSIGNED');
  });
});

describe('an X-Tenant-Id of a tenant in which the user has a persona', () => {
  // Rules: TENANT-5
  test.each(['one', 'two'] as const)('selects the tenant and the persona, in lower or upper case: %s', async (name) => {
    const memberships = { one: 'viewer', two: 'tenant-admin' } as const;
    const expected = { tenantId: tenants[name].id, persona: memberships[name], organizationScope: 'TENANT' };
    expect(await contextOf('Technician', memberships, tenants[name].id)).toEqual(expected);
    expect(await contextOf('Technician', memberships, tenants[name].id.toUpperCase())).toEqual(expected);
  });

  // Rules: TENANT-8
  test('limits a Global user to the organizations of the tenant', async () => {
    const expected = { tenantId: tenants.one.id, persona: 'viewer', organizationScope: 'TENANT' };
    expect(await contextOf('Global', { one: 'viewer' }, tenants.one.id)).toEqual(expected);
  });
});

describe.each(['Technician', 'Global'] as const)('an X-Tenant-Id that a %s sends', (type) => {
  // Rules: TENANT-6
  test.each<[string, () => string]>([
    ['of a tenant of others', () => tenants.two.id],
    ['of an inactive tenant', () => tenants.inactive.id],
    ['of no tenant', () => absentId],
    ['that is not a UUID', () => 'harvest'],
    ['with two UUIDs', () => `${tenants.one.id},${tenants.two.id}`],
    ['with the text null', () => 'null'],
  ])('%s causes TENANT_NOT_ALLOWED, without fallback to the tenant of the user', async (_header, header) => {
    expect(await contextOf(type, { one: 'viewer', inactive: 'viewer' }, header())).toBe('TENANT_NOT_ALLOWED');
  });

  // Rules: TENANT-7
  test('of a tenant in which the user has no persona causes PERSONA_NOT_ASSIGNED', async () => {
    expect(await contextOf(type, { one: 'viewer', two: null }, tenants.two.id)).toBe('PERSONA_NOT_ASSIGNED');
  });
});
