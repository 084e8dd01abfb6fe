import type { ProfileClient } from '@profile-service/client';
import { addressRow, contactRow, organizationRow, userRow } from './rows.ts';
import type { Store } from './store.ts';

/** Copies all lists. @returns the cursor of the present, taken before the first list: what changes meanwhile comes as an event */
export async function copyLists(profile: ProfileClient, store: Store): Promise<string> {
  const { nextCursor } = await profile.events.list.query({ startDate: new Date().toISOString() });
  await store.commit(nextCursor, async () => {
    store.clear();
    for await (const record of profile.organizations.all()) store.put('organizations', organizationRow(record));
    for await (const record of profile.organizationAddresses.all()) store.put('addresses', addressRow(record));
    for await (const record of profile.organizationContacts.all()) store.put('contacts', contactRow(record));
    for await (const record of profile.users.all()) store.put('users', userRow(record));
    for await (const { id } of profile.tenants.all()) await copyTenant(profile, store, id);
  });
  return nextCursor;
}

async function copyTenant(profile: ProfileClient, store: Store, tenantId: string): Promise<void> {
  const [organizations, users] = await Promise.all([
    profile.tenants.organizations.safe({ tenantId }),
    profile.memberships.users.safe({ tenantId }),
  ]);
  for (const { ok, error } of [organizations, users]) if (!ok && error.code !== 'TENANT_NOT_FOUND') throw error;
  for (const { id } of organizations.data?.data ?? []) store.put('links', { organization_id: id, tenant_id: tenantId });
  for (const { id, persona } of users.data?.data ?? []) store.put('members', { user_id: id, tenant_id: tenantId, persona });
}
