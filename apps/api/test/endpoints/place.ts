import { type Persona, personas } from '@profile-service/contracts';
import type { Actor } from '../support/api.ts';
import type { Person, Tenant } from '../support/people.ts';
import { startWorldWithMap } from '../support/organizations.ts';
import type { World } from '../support/world.ts';

/** A world with the map, and with the tenants and the people that the tests over all rows are about. */
export interface Place {
  world: World;
  /** Where the people below belong. */
  tenant: Tenant;
  /** Where they don't. */
  foreign: Tenant;
  inactive: Tenant;
  /** One member of the tenant for each persona. */
  members: Record<Persona, Person>;
  /** Global, and viewer of the tenant. */
  globalMember: Person;
  globalWithoutPersona: Person;
  /** Coordinator of the tenant, viewer of another. */
  ofTwoTenants: Person;
  ofNoTenant: Person;
  /** Member of the inactive tenant and of no other. */
  ofInactiveTenant: Person;
  /** Viewer of the tenant, and member of the inactive one. */
  ofInactiveTenantToo: Person;
  /** A link to the tenant from before personas were introduced. */
  withoutPersona: Person;
  deleted: Actor;
}

/** Makes them all through the service. */
export async function startPlace(): Promise<Place> {
  const world = await startWorldWithMap();
  const [tenant, foreign, inactive] = [await world.tenant(), await world.tenant(), await world.tenant({ active: false })];
  const members = {} as Record<Persona, Person>;
  for (const persona of personas) members[persona] = await world.person({ [tenant.id]: persona });

  const withoutPersona = await world.person({ [tenant.id]: 'viewer' });
  const globalWithoutPersona = await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' });
  const legacy = [withoutPersona.id, globalWithoutPersona.id];
  await world.sql('update memberships set persona = null where user_id = any($1)', [legacy]);
  const deleted = await world.person({ [tenant.id]: 'viewer' });
  await world.call(world.global, `DELETE /api/users/${deleted.id}`);
  return {
    world,
    tenant,
    foreign,
    inactive,
    members,
    globalWithoutPersona,
    globalMember: await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' }),
    ofTwoTenants: await world.person({ [tenant.id]: 'coordinator', [(await world.tenant()).id]: 'viewer' }),
    ofNoTenant: await world.person(),
    ofInactiveTenant: await world.person({ [inactive.id]: 'viewer' }),
    ofInactiveTenantToo: await world.person({ [tenant.id]: 'viewer', [inactive.id]: 'tenant-admin' }),
    withoutPersona,
    deleted,
  };
}
