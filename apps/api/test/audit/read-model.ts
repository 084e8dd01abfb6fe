import { selectEntries } from '../oracle/audit.ts';
import { selectEvents } from '../oracle/events.ts';
import {
  type Address,
  type AuditEntry,
  emptyModel,
  type Membership,
  type Model,
  type Organization,
  pair,
  type StoredEvent,
  type Tenant,
  type User,
} from '../oracle/model.ts';
import type { World } from '../support/world.ts';

/** Reads from the database what the oracle needs to predict who sees which audit entry and event. @param since the time of the oldest one */
export async function readAuditModel({ sql }: World, since: string): Promise<Model> {
  const model = emptyModel();
  const users = 'select id, id_identity as "idIdentity", type from users where deleted_at is null';
  for (const user of await sql<User>(users)) model.users.set(user.id, user);
  const tenants = 'select id, active, identity_client_id as "identityClientId" from tenants';
  for (const tenant of await sql<Tenant>(tenants)) model.tenants.set(tenant.id, tenant);
  const memberships = `
    select user_id as "userId", tenant_id as "tenantId", persona, scope,
           array(select organization_id from membership_organizations g where g.user_id = m.user_id and g.tenant_id = m.tenant_id) as grants
    from memberships m`;
  for (const { grants, ...membership } of await sql<Membership & { grants: string[] }>(memberships))
    model.memberships.set(pair(membership.userId, membership.tenantId), { ...membership, grants: new Set(grants) });
  for (const organization of await sql<Organization>('select id from organizations where deleted_at is null'))
    model.organizations.set(organization.id, organization);
  for (const link of await sql<{ id: string; tenant: string }>(
    'select organization_id as id, tenant_id as tenant from organization_tenants',
  ))
    model.links.add(pair(link.id, link.tenant));
  for (const address of await sql<Address>('select id, organization_id as "organizationId" from organization_addresses'))
    model.organizationAddresses.set(address.id, address);
  for (const entry of await sql<AuditEntry>(selectEntries, [since])) model.auditEntries.set(entry.id, entry);
  for (const event of await sql<StoredEvent>(selectEvents, [since])) model.events.set(event.id, event);
  return model;
}
