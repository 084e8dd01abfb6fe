import type { Caller } from '@profile-service/auth';
import { type EventType, eventTypes, type EventTypeFilter, eventTypesOf, ProblemError, recordTypeOf } from '@profile-service/contracts';
import {
  type EventRow,
  type EventStart,
  findEventStart,
  firstPosition,
  readEvents,
  type ScopedDatabase,
  UnknownEventPositionError,
  userFieldsOfApplications,
} from '@profile-service/db';
import { assertInScope } from '../request/scope-checks.ts';
import { validationFailed } from '../request/validation-failed.ts';
import { decodeEventCursor } from '../request/event-cursor.ts';
import type { FeedEvent, FeedPage } from '../request/feed.ts';
import { mayReadType } from './readable-records.ts';

export interface FeedInput {
  cursor?: string | undefined;
  startDate?: string | undefined;
  types?: readonly EventTypeFilter[] | undefined;
  organizationId?: string | undefined;
}

/** Returns where the feed starts. Without a cursor and a date, that is the oldest event. Throws VALIDATION_FAILED. */
export async function startFeed(scoped: ScopedDatabase, { cursor, startDate }: FeedInput): Promise<EventStart> {
  if (cursor !== undefined) {
    if (startDate !== undefined) throw validationFailed('startDate', 'Cannot be combined with a cursor');
    return { after: decodeEventCursor(cursor), isCursor: true };
  }
  return startDate === undefined ? { after: firstPosition, isCursor: false } : findEventStart(scoped, startDate);
}

/** Returns where a stream starts. Without a cursor and a date, that is now. Throws VALIDATION_FAILED. */
export const startStream = (scoped: ScopedDatabase, input: FeedInput): Promise<EventStart> =>
  startFeed(scoped, input.cursor === undefined && input.startDate === undefined ? { startDate: future } : input);

/** A time after all events. */
const future = '9999-12-31T23:59:59.999Z';

interface PageSize {
  limit: number;
  maxBytes?: number;
}

/** The size of a part of a stream. What a slow client has not received stays in memory. */
export const streamed: PageSize = { limit: 100, maxBytes: 256 * 1024 };

/**
 * Reads the next events that the caller may see. For the scope `all`, the organization filter may name a deleted organization.
 * @throws EVENT_CURSOR_EXPIRED, NOT_ALLOWED_ORGANIZATION
 */
export async function readFeed(
  caller: Caller,
  scoped: ScopedDatabase,
  { types, organizationId }: FeedInput,
  start: EventStart,
  size: PageSize,
): Promise<FeedPage> {
  if (caller.organizationScope.kind !== 'all') await assertInScope(caller, scoped, organizationId);
  const audience = caller.kind === 'user' ? 'user' : 'application';
  const visible = visibleTypes(caller, types);
  try {
    const { events, position, hasMore } = await readEvents(scoped, audience, { ...start, types: visible, organizationId, ...size });
    return { events: events.map((event) => toFeedEvent(event, audience === 'application')), position, hasMore };
  } catch (error) {
    if (error instanceof UnknownEventPositionError) throw new ProblemError('EVENT_CURSOR_EXPIRED', { cause: error });
    throw error;
  }
}

/** The same text for callers and filters that get the same events. */
export function feedAudience(caller: Caller, { types, organizationId }: FeedInput): string {
  const { organizationScope } = caller;
  return JSON.stringify([caller.kind, organizationScope, visibleTypes(caller, types) ?? null, organizationId ?? null]);
}

/** The types that the filter names and the caller may read. Undefined for all. */
function visibleTypes(caller: Caller, filter: FeedInput['types']): EventType[] | undefined {
  if (caller.organizationScope.kind === 'all') return filter && eventTypesOf(filter);
  const named = filter ? eventTypesOf(filter) : eventTypes;
  return caller.kind === 'service' ? named : named.filter((type) => mayReadType(caller, recordTypeOf(type)));
}

/** Encodes the declared fields. The data are JSON already. @param isApplication whether users are shown with some fields only */
export function toFeedEvent(row: EventRow, isApplication: boolean): FeedEvent {
  const { id, type, occurredAt, actorKind, actorId, requestId, tenantId, organizationId, recordType, recordId, data } = row;
  const { epoch, transactionId, sequence } = row;
  const changed = isApplication && recordType === 'user' ? row.changed.filter((field) => userFields.includes(field)) : row.changed;
  const [actor, record] = [
    { kind: actorKind, id: actorId },
    { type: recordType, id: recordId },
  ];
  const head = JSON.stringify({ id, type, occurredAt, actor, requestId, tenantId, organizationId, record, changed });
  return { type, json: `${head.slice(0, -1)},"data":${data}}`, position: { epoch, transactionId, sequence } };
}

const userFields: readonly string[] = userFieldsOfApplications;
