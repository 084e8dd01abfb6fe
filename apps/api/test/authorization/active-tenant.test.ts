import type { Persona, UserType } from '@profile-service/contracts';
import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import type { Permissions } from '../support/records.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
/** Ids by the names of tenants in the table below. */
const ids: Record<string, string> = { absent: absentId };
beforeAll(async () => {
  for (const name of ['one', 'two', 'inactive']) ids[name] = (await world.tenant({ active: name !== 'inactive' })).id;
});

/** null: an old membership without persona. */
type Memberships = Partial<Record<'one' | 'two' | 'inactive', Persona | null>>;
type Case = [type: UserType, memberships: Memberships, header: string | undefined, expected: string];

const [v, t] = ['viewer', 'technician'] as const;
const ofBothTypes = (['Technician', 'Global'] as const).flatMap((type): Case[] => [
  [type, { one: v, inactive: v }, 'two', 'TENANT_NOT_ALLOWED'],
  [type, { one: v, inactive: v }, 'inactive', 'TENANT_NOT_ALLOWED'],
  [type, { one: v }, 'absent', 'TENANT_NOT_ALLOWED'],
  [type, { one: v }, 'harvest', 'TENANT_NOT_ALLOWED'],
  [type, { one: v }, 'one,two', 'TENANT_NOT_ALLOWED'],
  [type, { one: v }, 'null', 'TENANT_NOT_ALLOWED'],
  [type, { one: v, two: null }, 'two', 'PERSONA_NOT_ASSIGNED'],
]);

// Rules: TENANT-1, TENANT-2, TENANT-3, TENANT-4, TENANT-5, TENANT-6, TENANT-7, TENANT-8
test.each<Case>([
  ['Global', {}, undefined, 'all'],
  ['Global', { one: v }, undefined, 'all'],
  ['Global', { one: v, two: v }, '', 'all'],
  ['Global', { one: null }, undefined, 'all'],
  ['Global', { one: v }, 'one', 'one'],
  ['Technician', { one: t }, undefined, 'one'],
  ['Technician', { one: t }, '', 'one'],
  ['Technician', { one: t, inactive: 'tenant-admin' }, undefined, 'one'],
  ['Technician', {}, undefined, 'ACTIVE_TENANT_REQUIRED'],
  ['Technician', { inactive: v }, undefined, 'ACTIVE_TENANT_REQUIRED'],
  ['Technician', { one: v, two: v }, undefined, 'ACTIVE_TENANT_REQUIRED'],
  ['Technician', { one: v, two: v }, '', 'ACTIVE_TENANT_REQUIRED'],
  ['Technician', { one: v, two: null }, undefined, 'ACTIVE_TENANT_REQUIRED'],
  ['Technician', { one: null }, undefined, 'PERSONA_NOT_ASSIGNED'],
  ['Technician', { one: v, two: 'tenant-admin' }, 'one', 'one'],
  ['Technician', { one: v, two: 'tenant-admin' }, 'two', 'two'],
  ['Technician', { one: v, two: 'tenant-admin' }, 'TWO', 'two'],
  ...ofBothTypes,
])('a %s user with the memberships %j and X-Tenant-Id %j: %s', async (type, memberships, header, expected) => {
  const assigned = Object.entries(memberships).map(([name, persona]) => [ids[name], persona ?? 'viewer']);
  const person = await world.person(Object.fromEntries(assigned), { type });
  for (const [name, persona] of Object.entries(memberships))
    if (persona === null)
      await world.sql('update memberships set persona = null where user_id = $1 and tenant_id = $2', [person.id, ids[name]]);
  const idOf = (name: string) => (name === name.toLowerCase() ? ids[name]! : ids[name.toLowerCase()]!.toUpperCase());
  const tenant = header?.replaceAll(/one|two|inactive|absent/gi, idOf);
  const actor = { ...person, ...(tenant === undefined ? {} : { tenant }) };
  const states = outcome(await world.call(actor, 'GET /api/states'));
  const { tenantId, persona, organizationScope } = (await world.call<Permissions>(actor, 'GET /api/me/permissions')).body;
  const none = { states: expected, tenantId: null, persona: null, organizationScope: 'NONE' };
  const inTenant = { states: 200, tenantId: ids[expected], persona: memberships[expected as 'one'], organizationScope: 'TENANT' };
  const all = { ...none, states: 200, organizationScope: 'ALL' };
  expect({ states, tenantId, persona, organizationScope }).toEqual(expected === 'all' ? all : expected in ids ? inTenant : none);
});
