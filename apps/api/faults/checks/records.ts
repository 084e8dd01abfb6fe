import { findHalfDone } from '../../test/support/half-done.ts';
import type { Environment } from '../environment/environment.ts';
import type { Acknowledged } from '../load/writer.ts';

/** What runs SQL without the service. */
interface RecordsOf {
  database: Pick<Environment['database'], 'sql'>;
}

/** Returns what contradicts this: each acknowledged write has exactly one event and one audit entry, and each record has one creation. */
export async function checkRecords({ database: { sql } }: RecordsOf, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const ids = [...new Set(acknowledged.map(({ recordId }) => recordId))];
  const events = await sql<{ type: string; record: string; name: string | null }>(
    "select type, record_id as record, data ->> 'name' as name from events where record_id = any($1)",
    [ids],
  );
  const keyOf = (type: string, id: string, name: unknown) =>
    type === 'organization.updated' ? `${type} ${id} ${String(name)}` : `${type} ${id}`;
  const counts = Map.groupBy(events, ({ type, record, name }) => keyOf(type, record, name));
  const lost = acknowledged
    .map(({ event, recordId, request }) => keyOf(event, recordId, (request.body as { name?: string } | undefined)?.name))
    .filter((write) => counts.get(write)?.length !== 1);
  return [...lost.map((write) => `"${write}" was acknowledged and has not exactly one event`), ...(await findHalfDone(sql))];
}
