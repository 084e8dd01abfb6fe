import { sql, type SqlBool } from 'kysely';
import type { BoundStatement } from '../connection/executor.ts';
import type { Placeholders } from '../sql/placeholders.ts';
import { statement } from '../queries/statement.ts';

/** The PostgreSQL channel on which instances notify each other of outdated cached callers. */
export const channel = 'profile_caller_invalidation';

/** The callers whose cached permissions are outdated. */
export interface CallerInvalidation {
  /** Users by `idIdentity` (the `sub` of a token). */
  sub?: string[];
  /** Every caller, applications included. */
  all?: true;
  /** Applications by the client of their token (`azp`), whether a tenant is linked to it or not. */
  clientId?: string[];
}

/** What a transaction invalidates. */
export interface TransactionInvalidation extends CallerInvalidation {
  /** Users by id. Their subjects are read at the commit, which saves a query before it. */
  userId?: string[];
}

/** PostgreSQL limits the payload of NOTIFY to less than 8,000 bytes. */
const maxPayloadBytes = 7_999;
const maxNamesPerPayload = 100;

const notify = statement((db, p: Placeholders<{ channel: string; payloads: string[] }>) =>
  db
    .selectFrom(sql<{ payload: string }>`unnest(${p.payloads}::text[])`.as<'invalidation'>(sql`invalidation(payload)`))
    .select(({ ref }) => sql`pg_notify(${p.channel}, ${ref('invalidation.payload')})`.as('sent')),
);

const notifyOfUsers = statement((db, p: Placeholders<{ channel: string; userId: string[] }>) =>
  db
    .selectFrom('users')
    .select([
      'idIdentity as notifiedSubject',
      sql`pg_notify(${p.channel}, json_build_object('sub', json_build_array(id_identity))::text)`.as('sent'),
    ])
    .where(sql<SqlBool>`id = any(${p.userId}::uuid[])`),
);

/** Returns the statements that notify all instances, this one included, when their transaction commits. */
export function callerInvalidationNotices({ userId = [], ...invalidation }: TransactionInvalidation): BoundStatement[] {
  const payloads = payloadsOf(invalidation);
  const notices = payloads.length > 0 ? [notify.bind({ channel, payloads }, { kind: 'none' })] : [];
  if (userId.length > 0 && !invalidation.all) notices.push(notifyOfUsers.bind({ channel, userId }, { kind: 'none' }));
  return notices;
}

/** Returns the subjects of the users that were given by id. @param results the rows of the statements of `callerInvalidationNotices`, or more */
export const notifiedSubjects = (results: readonly unknown[][]): string[] =>
  results.flat().flatMap((row) => (row as { notifiedSubject?: string }).notifiedSubject ?? []);

/** Merges invalidations into one that covers all of them. */
export function mergeCallerInvalidations(invalidations: readonly TransactionInvalidation[]): TransactionInvalidation {
  if (invalidations.some(({ all }) => all)) return { all: true };
  const merged: TransactionInvalidation = {};
  for (const kind of ['sub', 'userId', 'clientId'] as const) {
    const names = invalidations.flatMap((each) => each[kind] ?? []);
    if (names.length > 0) merged[kind] = names;
  }
  return merged;
}

function payloadsOf({ all, ...names }: CallerInvalidation): string[] {
  const everything = [JSON.stringify({ all: true })];
  if (all) return everything;
  const payloads: string[] = [];
  for (const kind of ['sub', 'clientId'] as const) {
    const named = names[kind] ?? [];
    for (let start = 0; start < named.length; start += maxNamesPerPayload) {
      payloads.push(JSON.stringify({ [kind]: named.slice(start, start + maxNamesPerPayload) }));
    }
  }
  return payloads.every((payload) => Buffer.byteLength(payload) <= maxPayloadBytes) ? payloads : everything;
}

/** Reads a payload. A payload that this version does not understand invalidates everything. */
export function parseCallerInvalidation(payload: string | undefined): CallerInvalidation {
  try {
    const parsed: unknown = JSON.parse(payload ?? '');
    if (parsed && typeof parsed === 'object') {
      if ('sub' in parsed && Array.isArray(parsed.sub)) return { sub: parsed.sub.map(String) };
      if ('clientId' in parsed && Array.isArray(parsed.clientId)) return { clientId: parsed.clientId.map(String) };
    }
  } catch {
    // Not JSON: see the fallback below.
  }
  return { all: true };
}
