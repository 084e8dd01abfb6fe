import { randomUUID } from 'node:crypto';
import type { World } from './world.ts';

/** An organization linked to the tenant, straight in the database, for tests to which nothing but its id matters. Gives its id. */
export async function linkedOrganization(world: World, tenantId: string): Promise<string> {
  const id = randomUUID();
  await world.sql('insert into organizations (id, name, federal_tax_id) values ($1, $2, $3)', [id, `Organization ${id}`, world.newTaxId()]);
  await world.sql('insert into organization_tenants (tenant_id, organization_id) values ($1, $2)', [tenantId, id]);
  return id;
}

/** Makes a membership RESTRICTED to these organizations, each linked to the tenant. */
export async function restrict(world: World, userId: string, tenantId: string, organizationIds: string[]): Promise<void> {
  await world.sql("update memberships set scope = 'RESTRICTED' where user_id = $1 and tenant_id = $2", [userId, tenantId]);
  const grant = 'insert into membership_organizations (user_id, tenant_id, organization_id) select $1, $2, unnest($3::uuid[])';
  await world.sql(grant, [userId, tenantId, organizationIds]);
}
