import type { AuditEntryItem } from '@profile-service/contracts';
import type { Actor, Api } from '../support/api.ts';
import type { World } from '../support/world.ts';

export type Entry = AuditEntryItem;
export interface EntryList {
  data: Entry[];
  nextCursor: string | null;
}

/** An event as it is stored. */
export interface StoredEvent {
  id: string;
  type: string;
  occurredAt: string;
  actor: { kind: string; id: string | null };
  requestId: string | null;
  tenantId: string | null;
  organizationId: string | null;
  record: { type: string; id: string };
  changed: string[];
  data: Record<string, unknown>;
}

/** Reads one page of the audit log over REST. */
export async function readEntries(api: Api, actor: Actor, query = '', path = '/api/audit-entries'): Promise<EntryList> {
  const { status, body } = await api.call<EntryList>(actor, `GET ${path}?${query}`);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** The entries of a request, as a Global user sees them. */
export async function entriesOf(world: World, requestId: string): Promise<Entry[]> {
  const { data } = await readEntries(world, world.global, 'limit=100');
  return data.filter((entry) => entry.requestId === requestId);
}

export const eventsOf = (world: World, requestId: string): Promise<StoredEvent[]> =>
  world.sql<StoredEvent>(
    `select id, type, iso_timestamp(occurred_at) as "occurredAt", json_build_object('kind', actor_kind, 'id', actor_id) as actor,
            request_id as "requestId", tenant_id as "tenantId", organization_id as "organizationId",
            json_build_object('type', record_type, 'id', record_id) as record, changed, data
     from events where request_id = $1`,
    [requestId],
  );

/** The number of audit entries and of events. */
export async function countChanges({ sql }: World): Promise<{ entries: number; events: number }> {
  const [counts] = await sql<{ entries: number; events: number }>(
    'select (select count(*)::int from audit_entries) as entries, (select count(*)::int from events) as events',
  );
  return counts ?? { entries: 0, events: 0 };
}
