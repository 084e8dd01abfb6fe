import { type QueryExecutorProvider, sql } from 'kysely';

/** The PostgreSQL channel on which the instances tell each other whose cached callers are out of date. */
export const channel = 'profile_caller_invalidation';

/** Whose cached rights are out of date. */
export interface CallerInvalidation {
  /** The users with these idIdentity (a token's `sub`). */
  sub?: string[];
  /** Every caller, applications included. */
  all?: true;
  /** Every remembered refusal: a client that was unknown may be linked now. */
  rejections?: true;
}

/** PostgreSQL limits the payload of NOTIFY to less than 8,000 bytes. */
const maxPayloadBytes = 7_999;
const maxSubjectsPerPayload = 100;

/** Notifies all instances, this one included, when the transaction commits. Costs one statement. */
export async function notifyCallerInvalidation(transaction: QueryExecutorProvider, invalidation: CallerInvalidation): Promise<void> {
  const payloads = payloadsOf(invalidation);
  if (payloads.length === 0) return;
  await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(transaction);
}

/** One invalidation that stands for all of them. */
export function mergeCallerInvalidations(invalidations: readonly CallerInvalidation[]): CallerInvalidation {
  if (invalidations.some(({ all }) => all)) return { all: true };
  const sub = invalidations.flatMap((invalidation) => invalidation.sub ?? []);
  return { ...(sub.length > 0 ? { sub } : {}), ...(invalidations.some(({ rejections }) => rejections) ? { rejections: true } : {}) };
}

function payloadsOf({ sub = [], all, rejections }: CallerInvalidation): string[] {
  const everything = [JSON.stringify({ all: true })];
  if (all) return everything;
  const payloads = rejections ? [JSON.stringify({ rejections })] : [];
  for (let start = 0; start < sub.length; start += maxSubjectsPerPayload) {
    payloads.push(JSON.stringify({ sub: sub.slice(start, start + maxSubjectsPerPayload) }));
  }
  return payloads.every((payload) => Buffer.byteLength(payload) <= maxPayloadBytes) ? payloads : everything;
}

/** Reads a payload. A payload that this version does not understand invalidates everything. */
export function parseCallerInvalidation(payload: string | undefined): CallerInvalidation {
  try {
    const parsed: unknown = JSON.parse(payload ?? '');
    if (parsed && typeof parsed === 'object') {
      if ('sub' in parsed && Array.isArray(parsed.sub)) return { sub: parsed.sub.map(String) };
      if ('rejections' in parsed && parsed.rejections === true) return { rejections: true };
    }
  } catch {
    // Not JSON: see the fallback below.
  }
  return { all: true };
}
