import { isDeepStrictEqual } from 'node:util';
import type { Model } from '../test/oracle/model.ts';
import { Contradiction } from './prediction.ts';
import type { Sql } from '../test/support/test-world.ts';

const select = `
  select array(select concat_ws(' ', user_id, tenant_id, coalesce(persona, 'none'), scope) from memberships order by 1) as memberships,
         array(select concat_ws(' ', organization_id, tenant_id) from organization_tenants order by 1) as links,
         array(select concat_ws(' ', user_id, tenant_id, organization_id) from membership_organizations order by 1) as grants,
         array(select id::text from organization_addresses order by 1) as addresses,
         array(select id::text from organization_contacts order by 1) as contacts,
         array(select id::text from attachments where deleted_at is null order by 1) as attachments,
         array(select id::text from users where deleted_at is null order by 1) as users,
         array(select id::text from organizations where deleted_at is null order by 1) as organizations`;

/** Compares the tables that responses do not show in full with the model. Throws if they differ. */
export async function compareSnapshot(sql: Sql, model: Model): Promise<void> {
  const [found] = await sql<Record<string, string[]>>(select);
  const memberships = [...model.memberships.values()];
  const wanted: Record<string, string[]> = {
    memberships: memberships.map(({ userId, tenantId, persona, scope }) => [userId, tenantId, persona ?? 'none', scope].join(' ')),
    links: [...model.links],
    grants: memberships.flatMap(({ userId, tenantId, grants }) => [...grants].map((id) => [userId, tenantId, id].join(' '))),
    addresses: [...model.addresses.keys()],
    contacts: [...model.contacts.keys()],
    attachments: [...model.attachments.keys()],
    users: [...model.users.keys()],
    organizations: [...model.organizations.keys()],
  };
  for (const [name, entries] of Object.entries(wanted)) {
    const [stored, right] = [found?.[name]?.toSorted(), entries.toSorted()];
    if (!isDeepStrictEqual(stored, right)) throw new Contradiction('the database', name, right, stored);
  }
}
