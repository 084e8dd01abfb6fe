import type { Person } from '../support/people.ts';
import { linkedOrganization } from '../support/organizations.ts';
import { startWorld, type World } from '../support/world.ts';

/** A service with what the README of the client assumes: a member of a tenant, an organization, and the application of the tenant. */
export interface ClientWorld extends World {
  member: Person;
  tenantId: string;
  organizationId: string;
  clientSecret: string;
}

/** Starts the world. @param origin of a page that may call the service */
export async function startClientWorld(origin: string): Promise<ClientWorld> {
  const world = await startWorld({ CORS_ORIGINS: origin });
  const { customerId, appId } = await world.tenant();
  const body = { customerId, appId, name: 'Harvest', identityClientId: 'harvest' };
  const { id: tenantId } = await world.create<{ id: string }>('POST /api/tenants', body);
  const organizationId = await linkedOrganization(world, tenantId);
  const member = await world.person({ [tenantId]: 'tenant-admin' });
  return { ...world, member, tenantId, organizationId, clientSecret: 'test-harvest-secret' };
}
