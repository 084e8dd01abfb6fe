import { type EventTypeFilter, recordTypes } from '@profile-service/contracts';
import { shownEvent } from '../../test/oracle/events.ts';
import type { StoredEvent } from '../../test/oracle/model.ts';
import { outsideScopeCode, seesOrganization } from '../../test/oracle/visibility.ts';
import { anyId, equals } from './draws.ts';
import { type Body, type Case, type Driver, type DrawContext, type Input, refuse } from './driver.ts';

/** More than a world has events. */
const allEvents = 1_000;

/** The type of an event that there is, in most cases, or all types of its record. */
function drawType({ model, random }: DrawContext): EventTypeFilter {
  const type = random.pick([...model.events.values()])?.type as EventTypeFilter | undefined;
  if (!type || random.chance(0.4)) return `${random.oneOf(...recordTypes)}.*`;
  return random.chance(0.5) ? type : (type.replace(/\w+$/, '*') as EventTypeFilter);
}

/** The database still has the events of earlier worlds: every call starts in this one. */
function draw(context: DrawContext): Input {
  const { model, random } = context;
  const [oldest, cursors] = [[...model.events.values()][0]?.occurredAt ?? '9999-01-01', [...model.eventCursors.keys()]];
  if (random.chance(0.5)) return { startDate: oldest, limit: allEvents };
  const cursor = random.chance(0.5) ? random.pick(cursors) : undefined;
  const start = cursor ? { cursor } : { startDate: random.pick([...model.events.values()])?.occurredAt ?? oldest };
  return {
    ...start,
    limit: random.chance(0.6) ? allEvents : 1 + random.index(4),
    ...(random.chance(0.3) ? { types: random.chance(0.1) ? ['*'] : [drawType(context), drawType(context)] } : {}),
    ...(random.chance(0.3) ? { organizationId: anyId(context, model.organizations) } : {}),
  };
}

/** The events after the cursor, or from the first one at the start date on. */
function started({ model }: Case, { cursor, startDate }: Input): StoredEvent[] {
  const events = [...model.events.values()];
  if (cursor !== undefined) return events.slice(events.findIndex(({ id }) => id === model.eventCursors.get(String(cursor))) + 1);
  const first = events.findIndex(({ occurredAt }) => occurredAt >= String(startDate));
  return first === -1 ? [] : events.slice(first);
}

const matches = ({ type }: StoredEvent, types: unknown): boolean =>
  types === undefined || (types as string[]).some((filter) => ['*', type, type.replace(/\w+$/, '*')].includes(filter));

function outcome(it: Case) {
  const { model, who, input } = it;
  const { organizationId, types, limit } = input;
  if (typeof organizationId === 'string' && who.organizationScope !== 'ALL' && !seesOrganization(model, who, organizationId))
    return refuse(outsideScopeCode(who));
  const from = started(it, input);
  const seen = from
    .filter((event) => equals(event.organizationId, organizationId) && matches(event, types))
    .flatMap((event) => shownEvent(model, who, event) ?? []);
  const data = seen.slice(0, Number(limit));
  // After a full page, later events that the caller does not see may count.
  const mayCount = data.length === limit && data.at(-1)?.id !== from.at(-1)?.id;
  return {
    body: ({ nextCursor, hasMore }: Body) => ({
      data,
      nextCursor: typeof nextCursor === 'string' ? nextCursor : 'a cursor',
      hasMore: seen.length > data.length || (mayCount && hasMore === true),
    }),
  };
}

export const events: Record<'list', Driver> = { list: { draw, outcome } };
