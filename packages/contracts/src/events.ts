import { z } from 'zod';
import { access } from './access.ts';
import { actorKinds } from './audit-entries.ts';
import { defineEndpoint } from './endpoint.ts';
import { exampleIds, exampleTimestamps } from './examples.ts';
import { JsonObject, openEnum, Timestamp, timeFilters, Uuid } from './fields.ts';
import { type EventType as EventTypeName, eventTypes, type RecordType, recordTypes } from './records.ts';

const example = {
  id: exampleIds.event,
  type: 'organizationContact.updated',
  occurredAt: '2026-01-15T12:00:00.000Z',
  actor: { kind: 'USER', id: exampleIds.user },
  requestId: '5d1f0c9e-8a55-4c38-9f6e-2b7a1c3d4e5f',
  tenantId: exampleIds.tenant,
  organizationId: exampleIds.organization,
  record: { type: 'organizationContact', id: exampleIds.contact },
  changed: ['isPrimary'],
  data: {
    id: exampleIds.contact,
    organizationId: exampleIds.organization,
    type: 'EMAIL',
    value: 'contato@cooperativa.example',
    label: null,
    isPrimary: true,
    ...exampleTimestamps,
  },
};

export const EventType = openEnum<EventTypeName>('EventType', 'What happened to a record. Later versions may add types.', eventTypes);
const EventRecordType = openEnum<RecordType>('EventRecordType', 'Type of a record. Later versions may add types.', recordTypes);

const EventActorKind = z
  .enum(actorKinds)
  .meta({ id: 'EventActorKind', description: 'Whether a person, an application or the service itself made a change.' });

const EventActor = z
  .object({
    kind: EventActorKind.describe('`USER`: a person. `APPLICATION`: the application of a tenant. `SYSTEM`: the service itself.'),
    id: Uuid.nullable().describe(
      "Id of the user, or of the application's tenant. Null for SYSTEM, and for an actor who is not of the caller's tenant.",
    ),
  })
  .meta({ id: 'EventActor', description: 'Who made a change.', example: example.actor });

export const EventRecord = z
  .object({
    type: EventRecordType.describe('What the record is, such as `organization`.'),
    id: z.string().describe('Id of the record. `<userId>:<tenantId>` for memberships and scopes, `<organizationId>:<tenantId>` for links.'),
  })
  .meta({ id: 'EventRecord', description: 'The record of an event, by type and id.', example: example.record });

export const Event = z
  .object({
    id: Uuid.describe('Id of the event, set by the service. Also that of the audit entry of the change.'),
    type: EventType.describe('What happened, such as `organization.updated`.'),
    occurredAt: Timestamp.describe('Time of the change, in UTC with milliseconds. Events are not ordered by it.'),
    actor: EventActor.describe('Who made the change.'),
    requestId: z.string().nullable().describe('Id of the request. Not unique: clients may choose it, and the calls of a batch share it.'),
    tenantId: Uuid.nullable().describe(
      'Tenant of the record, or active tenant of the actor. Null for other tenants than that of the caller.',
    ),
    organizationId: Uuid.nullable().describe('Id of the organization that the record is or belongs to. Null if there is none.'),
    record: EventRecord.describe('The record that was changed.'),
    changed: z
      .array(z.string())
      .describe('Names of the fields that differ from before. After a creation and a deletion, those with a value.'),
    data: JsonObject.describe('The record as its GET shows it after the change. After a deletion, as it was before.'),
  })
  .meta({ id: 'Event', description: 'A committed change.', example });

export type EventItem = z.output<typeof Event>;

const EventList = z
  .object({
    data: z.array(Event).describe('The next events, oldest first. May be empty while `hasMore` is true.'),
    nextCursor: z.string().describe('Value of `cursor` for the next request. Store it after you have processed the events.'),
    hasMore: z.boolean().describe('Whether there are later events: request them without a pause. None of them may match the filters.'),
  })
  .meta({
    id: 'EventList',
    description: 'The next events, and where to continue.',
    example: { data: [example], nextCursor: 'MS43NDE5LjEyMw', hasMore: false },
  });

/** A filter of event types: a type, all types of a record as `<type>.*`, or `*`. */
export const EventTypeFilter = z
  .enum([...eventTypes, ...recordTypes.map((type) => `${type}.*` as const), '*'])
  .meta({ id: 'EventTypeFilter', description: 'A type of events, all types of a record, or `*` for all.' });
export type EventTypeFilter = z.output<typeof EventTypeFilter>;

/** Returns the event types that match one of the filters. */
export const eventTypesOf = (filters: readonly EventTypeFilter[]): EventTypeName[] =>
  eventTypes.filter((type) => filters.some((filter) => filter === '*' || filter === type || filter === `${type.split('.')[0]}.*`));

const query = {
  cursor: z
    .string()
    .max(100)
    .optional()
    .describe(
      '`nextCursor` of an earlier response, also of another caller. Without it, the events start with the oldest one that is kept.',
    ),
  startDate: timeFilters('events').startDate.describe(
    'Starts with the first event at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. Not together with `cursor`. A time in the future returns no event, and the cursor of the present.',
  ),
  types: z
    .array(EventTypeFilter)
    .min(1)
    .max(100)
    .optional()
    .describe('Only events of these types, separated by commas: `organization.updated`, `organization.*`, or `*` for all.'),
  organizationId: Uuid.optional().describe("Only events of this organization. It must be in the caller's scope."),
};
const paging = {
  limit: z.int32().min(1).max(1_000).default(100).describe('Events per page, from 1 to 1,000.'),
  wait: z.int32().min(0).max(30).default(0).describe('How many seconds the response may wait for the first event, from 0 to 30.'),
};

const order =
  'Oldest first. Store `nextCursor`, and send it as `cursor` of the next request: a reader gets each event once, and the events of a record in the order of its changes.';

const stream =
  'Server-sent events: `id` is the cursor after the event, `event` its type, `data` the event. Without `cursor` and `startDate` the stream starts now. A message with an `id` alone comes at least every 15 seconds. The service ends a stream after about 15 minutes, and when access ends: connect again with `Last-Event-ID`, as `EventSource` does.';

export const events = {
  list: defineEndpoint('GET /api/events', access.user('events', 'read', 'resource:events', { wholeTenant: true }), {
    summary: 'List events',
    description: `${order} Contains the events of the active tenant and of the organizations in scope, about records that the caller may read; all events for a Global user without an active tenant. A member whose organization scope is RESTRICTED gets 403.`,
    query: { ...query, ...paging },
    output: EventList,
    success: 200,
    errors: ['NOT_ALLOWED', 'NOT_ALLOWED_ORGANIZATION', 'EVENT_CURSOR_EXPIRED'],
  }),

  stream: defineEndpoint('GET /api/events/stream', access.user('events', 'read', 'resource:events', { wholeTenant: true }), {
    summary: 'Stream events',
    description: `The events of \`GET /api/events\`, as they happen. ${stream}`,
    query,
    output: Event,
    success: 200,
    media: 'stream',
    requestHeaders: ['Last-Event-ID'],
    errors: ['NOT_ALLOWED', 'NOT_ALLOWED_ORGANIZATION', 'EVENT_CURSOR_EXPIRED'],
  }),
};

export const serviceEvents = {
  list: defineEndpoint('GET /service/events', access.service, {
    summary: 'List events as an application',
    description: `${order} Contains the events of the organizations linked to the token's tenant, with their addresses, contacts, links and documents; of the memberships of the tenant; and of its members, with name, e-mail, type and job title.`,
    query: { ...query, ...paging },
    output: EventList,
    success: 200,
    errors: ['NOT_ALLOWED_ORGANIZATION', 'EVENT_CURSOR_EXPIRED'],
  }),

  stream: defineEndpoint('GET /service/events/stream', access.service, {
    summary: 'Stream events as an application',
    description: `The events of \`GET /service/events\`, as they happen. ${stream}`,
    query,
    output: Event,
    success: 200,
    media: 'stream',
    requestHeaders: ['Last-Event-ID'],
    errors: ['NOT_ALLOWED_ORGANIZATION', 'EVENT_CURSOR_EXPIRED'],
  }),
};
