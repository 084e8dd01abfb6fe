import { type EventTypeFilter, recordTypes } from '@profile-service/contracts';
import { namesType, shownEvent } from '../../test/oracle/events.ts';
import type { StoredEvent } from '../../test/oracle/model.ts';
import { outsideScopeCode, seesOrganization } from '../../test/oracle/visibility.ts';
import { anyId, equals } from './draws.ts';
import { type Body, type Case, type Driver, type DrawContext, type Input, type Outcome, refuse } from './driver.ts';

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

/** The events after the cursor, or from the first one at the start date on. Without both, those from now on. */
function started({ model }: Case, { cursor, startDate = '9999-01-01' }: Input): StoredEvent[] {
  const events = [...model.events.values()];
  if (cursor !== undefined) return events.slice(events.findIndex(({ id }) => id === model.eventCursors.get(cursor as string)) + 1);
  const first = events.findIndex(({ occurredAt }) => occurredAt >= (startDate as string));
  return first === -1 ? [] : events.slice(first);
}

/** The events that the caller gets, and all that were compared; the error code of a refusal. */
function select(it: Case) {
  const { model, who, input } = it;
  const { organizationId, types } = input;
  if (typeof organizationId === 'string' && who.organizationScope !== 'ALL' && !seesOrganization(model, who, organizationId))
    return outsideScopeCode(who);
  const from = started(it, input);
  const seen = from
    .filter((event) => equals(event.organizationId, organizationId) && namesType((types as string[] | undefined) ?? ['*'], event))
    .flatMap((event) => shownEvent(model, who, event) ?? []);
  return { from, seen };
}

function listed(it: Case): Outcome {
  const selected = select(it);
  if (typeof selected === 'string') return refuse(selected);
  const { from, seen } = selected;
  const { limit } = it.input;
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

function streamed(it: Case): Outcome {
  const selected = select(it);
  if (typeof selected === 'string') return refuse(selected);
  return { body: () => ({ events: selected.seen }), streamed: selected.seen.length };
}

/** Sometimes without a start, so that the stream starts now. */
function drawStream(context: DrawContext): Input {
  const { limit: _, cursor, startDate, ...filters } = draw(context);
  const start = cursor ? { cursor } : { startDate };
  return context.random.chance(0.8) ? { ...filters, ...start } : filters;
}

export const events: Record<'list' | 'stream', Driver> = {
  list: { draw, outcome: listed },
  stream: { draw: drawStream, outcome: streamed },
};
