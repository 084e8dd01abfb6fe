import { type QueryExecutorProvider, sql } from 'kysely';

/** PostgreSQL's channel on which the instances tell each other what they changed. */
export const channel = 'profile_changes';

/** Whose rights changed: the users with these idIdentity (a token's `sub`), or `all` where it may be anybody, applications included. */
export interface CallerInvalidation {
  sub?: string[];
  all?: true;
}

/** A payload of NOTIFY has less than 8,000 bytes. */
const mostBytes = 7_999;
const mostSubjects = 100;

/**
 * Tells all instances, this one included, what the transaction changes: at its commit and not before, and not at all when it rolls back.
 * Costs one statement.
 */
export async function notifyCallerInvalidation(transaction: QueryExecutorProvider, invalidation: CallerInvalidation): Promise<void> {
  const payloads = payloadsOf(invalidation);
  if (payloads.length === 0) return;
  await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(transaction);
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

/** What a payload says. One that is not ours means that anything may have changed. */
export function parseCallerInvalidation(payload: string | undefined): CallerInvalidation {
  try {
    const change: unknown = JSON.parse(payload ?? '');
    if (change && typeof change === 'object' && 'sub' in change && Array.isArray(change.sub)) return { sub: change.sub.map(String) };
  } catch {
    // Falls through to the careful answer.
  }
  return { all: true };
}
