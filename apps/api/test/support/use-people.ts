import type { Persona } from '@profile-service/contracts';
import { duringTests } from '../../../../test/during-tests.ts';
import { organizationOf } from './organizations.ts';
import type { Person, Tenant } from './people.ts';
import type { Organization } from './records.ts';
import type { World } from './world.ts';

/** A tenant for the tests of a file or of a `describe`. */
export const useTenant = (world: World): Tenant => duringTests(() => world.tenant());

/** A member of the tenant for the tests of a file or of a `describe`. */
export const useMember = (world: World, tenant: Tenant, persona: Persona): Person =>
  duringTests(() => world.person({ [tenant.id]: persona }));

/** An organization that is linked to the tenant, for the tests of a file or of a `describe`. */
export const useOrganization = (world: World, tenant: Tenant): Organization => duringTests(() => organizationOf(world, tenant));
