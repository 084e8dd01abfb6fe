import { type Kysely, sql } from 'kysely';
import { withoutScopedTables } from './handler-database.ts';
import type { DB } from './schema.gen.ts';
import type { Placeholders } from './statements/placeholders.ts';
import { statement } from './statements/statement.ts';

/** The NOTIFY channel on which instances tell each other which callers changed. */
export const channel = 'profile_changes';

/** Whose rights changed: the users with these idIdentity (a token's `sub`), or `all` for every caller, applications included. */
export interface CallerInvalidation {
  sub?: string[];
  all?: true;
}

/** PostgreSQL limits a payload of NOTIFY to less than 8,000 bytes. */
const mostBytes = 7_999;
const mostSubjects = 100;

const notify = statement((db, p: Placeholders<{ channel: string; payloads: string[] }>) =>
  db
    .selectFrom(sql<{ payload: string }>`unnest(${p.payloads}::text[])`.as<'change'>(sql`change(payload)`))
    .select(({ ref }) => sql`pg_notify(${p.channel}, ${ref('change.payload')})`.as('sent')),
);

/** Tells all instances, this one included, what the transaction changes: when it commits, and not at all when it rolls back. Costs one statement. */
export async function notifyCallerInvalidation(transaction: Kysely<DB>, invalidation: CallerInvalidation): Promise<void> {
  const payloads = payloadsOf(invalidation);
  if (payloads.length === 0) return;
  await withoutScopedTables(transaction).run(notify, { channel, payloads });
}

function payloadsOf({ sub = [], all }: CallerInvalidation): string[] {
  const everything = [JSON.stringify({ all: true })];
  if (all) return everything;
  const payloads: string[] = [];
  for (let start = 0; start < sub.length; start += mostSubjects) {
    payloads.push(JSON.stringify({ sub: sub.slice(start, start + mostSubjects) }));
  }
  return payloads.every((payload) => Buffer.byteLength(payload) <= mostBytes) ? payloads : everything;
}

/** Reads a payload. One that this service did not write means that anything may have changed. */
export function parseCallerInvalidation(payload: string | undefined): CallerInvalidation {
  try {
    const change: unknown = JSON.parse(payload ?? '');
    if (change && typeof change === 'object' && 'sub' in change && Array.isArray(change.sub)) return { sub: change.sub.map(String) };
  } catch {
    // No JSON: falls through.
  }
  return { all: true };
}
