import { randomUUID } from 'node:crypto';
import { newOrganization } from '@profile-service/contracts/examples';
import { createTestDatabaseWithMap } from '../../../../test/database.ts';
import { duringTests } from '../../../../test/during-tests.ts';
import type { ServiceOptions } from '../../src/service/service.ts';
import type { Tenant } from './people.ts';
import type { Organization } from './records.ts';
import { startWorld, type World } from './world.ts';

/** A world with the states and cities of Brazil. */
export const startWorldWithMap = (extra?: Record<string, string>, options?: ServiceOptions): Promise<World> =>
  startWorld(extra, createTestDatabaseWithMap, options);

/** A world with the states and cities of Brazil, for the tests of a file or of a `describe`. */
export const useWorldWithMap = (): World =>
  duringTests(
    () => startWorldWithMap(),
    (world) => world.stop(),
  );

/** Creates an organization through the service: as the tenant's application, which links it to the tenant, or without link. */
export async function organizationOf(world: World, tenant?: Tenant, fields: Record<string, unknown> = {}): Promise<Organization> {
  const [actor, target] = tenant ? [tenant.service, 'POST /service/organizations'] : [world.global, 'POST /api/organizations'];
  const { status, body } = await world.call<Organization>(actor, target, { ...newOrganization(world), ...fields });
  if (status !== 201) throw new Error(`${target} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Links an organization to another tenant. */
export async function linkTo(world: World, tenant: Tenant, organizationId: string): Promise<void> {
  await world.call(tenant.service, `POST /service/organizations/${organizationId}/tenants`);
}

/** Inserts an organization that is linked to the tenant into the database, for tests that need only its id. Returns the id. */
export async function linkedOrganization(world: World, tenantId: string): Promise<string> {
  const id = randomUUID();
  await world.sql('insert into organizations (id, name, federal_tax_id) values ($1, $2, $3)', [id, `Organization ${id}`, world.newTaxId()]);
  await world.sql('insert into organization_tenants (tenant_id, organization_id) values ($1, $2)', [tenantId, id]);
  return id;
}

/** Makes a membership RESTRICTED to these organizations, which are linked to the tenant. */
export async function restrict(world: World, userId: string, tenantId: string, organizationIds: string[]): Promise<void> {
  await world.sql("update memberships set scope = 'RESTRICTED' where user_id = $1 and tenant_id = $2", [userId, tenantId]);
  const grant = 'insert into membership_organizations (user_id, tenant_id, organization_id) select $1, $2, unnest($3::uuid[])';
  await world.sql(grant, [userId, tenantId, organizationIds]);
}

/** Inserts a linked organization whose metadata has this many bytes, more than a request may send. Returns its id. */
export async function largeOrganization(world: World, tenantId: string, bytes: number): Promise<string> {
  const id = await linkedOrganization(world, tenantId);
  await world.sql("update organizations set metadata = jsonb_build_object('text', repeat('x', $2)) where id = $1", [id, bytes]);
  return id;
}

/** Inserts many organizations that are linked to the tenant. Their names have characters that JSON escapes or that take several bytes. */
export const linkedOrganizations = (world: World, tenantId: string, count: number): Promise<unknown> =>
  world.sql(
    `with made as (
      insert into organizations (id, name, federal_tax_id)
      select gen_random_uuid(), 'Cooperativa "' || n || E'" \\\\ ção', lpad(n::text, 14, '0') from generate_series(1, $1::int) n returning id
    ) insert into organization_tenants (organization_id, tenant_id) select id, $2 from made`,
    [count, tenantId],
  );
