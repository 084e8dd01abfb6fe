import { setTimeout as pause } from 'node:timers/promises';
import { activeTenantId } from '@profile-service/auth';
import type { ProblemError } from '@profile-service/contracts';
import { type Executor, recordRefusal } from '@profile-service/db';
import type { Admission } from './limits/admission.ts';
import { tenantKey } from './limits/keys.ts';
import { RateLimit } from './limits/rate-limit.ts';
import { neverAborted } from './limits/slots.ts';
import type { RequestContext } from './context.ts';
import type { ReadReplica } from './read-replica.ts';
import { recordTypeOfEndpoint } from './record-type.ts';
import { actorOf } from './write-origin.ts';

/** Adds an audit entry for a call that was refused with 403. Returns undefined if there is nothing to wait for. The promise never rejects. */
export type RecordRefusal = (context: RequestContext, problem: ProblemError) => Promise<void> | undefined;

/** How long a response waits for its entry, in milliseconds. */
const waitMs = 2_000;
/** Maximum length of `recordId`, in characters. */
const maxIdLength = 200;

/**
 * Creates the function that records refusals of known users and applications. The database limits them to 10 per caller and minute. So does this process
 * before it uses the database, so that refused calls cannot slow the database down.
 */
export function createRefusalRecorder(executor: Executor, admission: Admission, replica?: Pick<ReadReplica, 'noteCommit'>): RecordRefusal {
  const limit = new RateLimit({ name: 'refusals', quota: 10, windowSeconds: 60, redis: undefined, isExact: false });
  const inSlot = async <T>(key: string, record: () => Promise<T>) => admission.run(key, neverAborted, record);
  return (context, { code, status }) => {
    // Without a caller, the code says that the user or the application is unknown.
    const { caller, operation, requestId, endpoint, log } = context;
    if (status !== 403 || !caller) return undefined;
    const actor = actorOf(caller);
    const counted = limit.count(`${actor.kind}:${actor.id}`);
    if (counted instanceof Promise || counted.isOver) return undefined;
    const names = { operation, code, actor, requestId, tenantId: activeTenantId(caller) };
    const refusal = { ...names, recordType: recordTypeOfEndpoint(operation, endpoint), recordId: lastIdOf(context) };
    const recorded = inSlot(tenantKey(caller), () => executor.run(recordRefusal(refusal))).then(
      () => replica?.noteCommit(),
      (error: unknown) => log.warn({ reason: String(error) }, 'a refused request is missing in the audit log'),
    );
    return Promise.race([recorded, pause(waitMs, undefined, { ref: false })]);
  };
}

/** The last id of the path as the client sent it. Over tRPC, it is known only after the input was read. */
function lastIdOf({ request, endpoint, rawInput }: RequestContext): string | null {
  const name = Object.keys(endpoint.params).at(-1);
  if (name === undefined) return null;
  const sent = request.pathParameters?.[name] ?? (rawInput?.params as Record<string, unknown> | undefined)?.[name];
  if (typeof sent !== 'string' && typeof sent !== 'number') return null;
  // PostgreSQL stores neither NUL nor half a surrogate pair.
  return String(sent).slice(0, maxIdLength).replaceAll('\0', '\uFFFD').toWellFormed();
}
