import type { Event, EventList, EventTypeFilter, ProfileClient } from '@profile-service/client';
import { readAgain, type ReadAgain } from './read-again.ts';
import { addressRow, contactRow } from './rows.ts';
import type { Store } from './store.ts';

/** The events that change the copy. */
export const eventTypes: EventTypeFilter[] = [
  'organization.*',
  'organizationAddress.*',
  'organizationContact.*',
  'organizationLink.*',
  'user.*',
  'membership.*',
  'tenant.deleted',
];

/** Applies a page of events, and stores the cursor after it in the same transaction. Applying it again changes nothing. */
export async function applyEvents(profile: ProfileClient, store: Store, { data: events, nextCursor }: EventList): Promise<void> {
  const current = await readAgain(profile, events);
  await store.commit(nextCursor, () => {
    for (const event of events) applyEvent(store, event);
    applyCurrent(store, current);
  });
}

/** Applies an event by its data. Events of addresses and contacts are applied by `applyCurrent`. */
function applyEvent(store: Store, { type, tenantId, record: { id }, data }: Event): void {
  const [organization_id, user_id, tenant_id] = [data['organizationId'], data['userId'], data['tenantId']].map(String) as [
    string,
    string,
    string,
  ];
  switch (type) {
    case 'organization.created':
      // The active tenant of the creator is linked in the same operation, which has one event.
      if (tenantId) store.put('links', { organization_id: id, tenant_id: tenantId });
      return undefined;
    case 'organization.updated':
      return store.put('organizations', { id, data: JSON.stringify(data) });
    case 'organization.deleted':
      store.remove('links', { organization_id: id });
      return removeOrganization(store, id);
    case 'organizationLink.created':
      return store.put('links', { organization_id, tenant_id });
    case 'organizationLink.deleted':
      return store.remove('links', { organization_id, tenant_id });
    case 'user.created':
    case 'user.updated':
      return store.put('users', { id, data: JSON.stringify(data) });
    case 'user.deleted':
      store.remove('users', { id });
      return store.remove('members', { user_id: id });
    case 'membership.created':
    case 'membership.updated':
      return store.put('members', { user_id, tenant_id, persona: data['persona'] as string | null });
    case 'membership.deleted':
      return store.remove('members', { user_id, tenant_id });
    case 'tenant.deleted':
      store.remove('links', { tenant_id: id });
      return store.remove('members', { tenant_id: id });
    default:
      // The records are read again, or a later version of the service has more types.
      return undefined;
  }
}

/** Replaces what was read again. It is newer than all events of the page. */
function applyCurrent(store: Store, { organizations, memberships }: ReadAgain): void {
  for (const { id, found } of organizations) {
    removeOrganization(store, id);
    if (!found) continue;
    store.put('organizations', { id, data: JSON.stringify(found.organization) });
    for (const address of found.addresses) store.put('addresses', addressRow(address));
    for (const contact of found.contacts) store.put('contacts', contactRow(contact));
  }
  for (const { userId: user_id, tenants } of memberships) {
    store.remove('members', { user_id });
    for (const { id: tenant_id, persona } of tenants) store.put('members', { user_id, tenant_id, persona });
  }
}

/** Removes an organization with its addresses and contacts. */
function removeOrganization(store: Store, id: string): void {
  store.remove('organizations', { id });
  for (const table of ['addresses', 'contacts'] as const) store.remove(table, { organization_id: id });
}
