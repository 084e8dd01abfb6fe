import type { Connection } from './connection.ts';
import { pollEvents, type EventsProcedure } from './poll-events.ts';
import { toProfileError } from './error-from.ts';
import type { Event, EventList } from './generated/models.ts';
import type { EventsListInput } from './generated/procedures.ts';
import { endlessly, pauseShortly } from './retries.ts';

/** `limit`: events per page, from 1 to 1,000. With a `cursor`, `startDate` has no effect. */
export interface FollowOptions extends Omit<EventsListInput, 'wait'> {
  /** Ends the loop, without an error. */
  signal?: AbortSignal | undefined;
}

/** An event, and where to continue after it. */
export interface FollowedEvent extends Event {
  /**
   * Store it after you have processed the event. A loop from this cursor skips no event. It repeats the events of the same page, because the service gives one
   * cursor for each page: make it harmless to process an event twice.
   */
  cursor: string;
}

/** The events as they happen. Each loop over it starts anew. */
export interface EventFeed extends AsyncIterable<FollowedEvent> {
  /**
   * The same by pages. Store `nextCursor` in the transaction that applies `data`: then each event is applied once. A page without events comes about every 25
   * seconds, so that a program whose filters match little keeps its place.
   */
  pages(): AsyncIterable<EventList>;
}

/** Follows the events. */
export interface EventFollower {
  /**
   * Returns the events, oldest first, and waits for new ones: `for await (const event of profile.events.follow({ cursor, signal }))`. Without `cursor` and
   * `startDate` it starts with the oldest event that is kept. Requests events by long polling, each time in a request of its own. Temporary failures are
   * repeated without end. All requests go to the tenant that was active when the loop began.
   *
   * Throws a ProfileError in the loop: EVENT_CURSOR_EXPIRED if the cursor is no longer valid, others as `events.list`.
   */
  follow(options?: FollowOptions): EventFeed;
}

/** Creates the follower of a procedure. */
export const eventFollower = (connection: Connection, procedure: EventsProcedure): EventFollower => ({
  follow: (options = {}) => ({
    [Symbol.asyncIterator]: () => followEvents(connection, procedure, options),
    pages: () => followPages(connection, procedure, options),
  }),
});

async function* followEvents(
  connection: Connection,
  procedure: EventsProcedure,
  options: FollowOptions,
): AsyncGenerator<FollowedEvent, void, undefined> {
  let pageCursor = options.cursor;
  for await (const { data, nextCursor } of followPages(connection, procedure, options)) {
    const last = data.at(-1);
    for (const event of data) {
      if (options.signal?.aborted) return;
      yield { ...event, cursor: event === last ? nextCursor : (pageCursor ?? nextCursor) };
    }
    pageCursor = nextCursor;
  }
}

async function* followPages(
  connection: Connection,
  procedure: EventsProcedure,
  { cursor: start, startDate, limit, signal, ...filters }: FollowOptions,
): AsyncGenerator<EventList, void, undefined> {
  let cursor = start;
  const inTenant = endlessly(connection, signal);
  /** Sends the next request. Undefined if the signal has aborted. */
  const next = async () => {
    // The cursor before the first event is unknown, so the first page has one event: its cursor is that of the page.
    const from = cursor === undefined ? { startDate, limit: 1 } : { cursor, limit, wait: 25 };
    try {
      return await inTenant((tenantId) => pollEvents({ connection, tenantId, procedure, signal }, { ...filters, ...from }));
    } catch (thrown) {
      if (signal?.aborted) return undefined;
      throw toProfileError(thrown);
    }
  };
  for (let page = await next(); page && !signal?.aborted; page = await next()) {
    cursor = page.nextCursor;
    yield page;
    // An instance that stops responds without waiting.
    if (page.data.length === 0 && !page.hasMore) await pauseShortly(signal).catch(() => undefined);
  }
}
