import { findHalfDone } from '../../test/support/half-done.ts';
import type { Environment } from '../environment/environment.ts';
import type { Acknowledged } from '../load/writer.ts';

/** Returns what contradicts this: each acknowledged write has exactly one event and one audit entry, and each record has one creation. */
export async function checkRecords({ database: { sql } }: Environment, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const ids = [...new Set(acknowledged.map(({ recordId }) => recordId))];
  const events = await sql<{ type: string; record: string; name: string | null; entries: number }>(
    `select events.type, events.record_id as record, data ->> 'name' as name, count(distinct audit_entries.id)::int as entries
     from events left join audit_entries using (record_type, record_id, occurred_at)
     where events.record_id = any($1) group by events.id, events.type, events.record_id, events.data, events.occurred_at`,
    [ids],
  );
  const keyOf = (type: string, id: string, name: unknown) =>
    type === 'organization.updated' ? `${type} ${id} ${String(name)}` : `${type} ${id}`;
  const counts = Map.groupBy(events, ({ type, record, name }) => keyOf(type, record, name));
  const lost = acknowledged
    .map(({ event, recordId, request }) => keyOf(event, recordId, (request.body as { name?: string } | undefined)?.name))
    .filter((write) => counts.get(write)?.length !== 1 || counts.get(write)?.[0]?.entries !== 1);
  return [
    ...lost.map((write) => `"${write}" was acknowledged and has not exactly one event and one audit entry`),
    ...(await findHalfDone(sql)),
  ];
}
