import type { EventItem } from '@profile-service/contracts';
import { EncodedRows } from '@profile-service/db';
import { encodeEventCursor } from './event-cursor.ts';
import type { FeedPage } from './feed.ts';

/** Number of events in a chunk of the response. */
const eventsPerChunk = 100;

/** Returns the output of an endpoint that lists events. */
export function eventList({ events, position, hasMore }: FeedPage) {
  const chunks: Buffer[] = [];
  for (let start = 0; start < events.length; start += eventsPerChunk) {
    const texts = events.slice(start, start + eventsPerChunk).map(({ json }) => json);
    chunks.push(Buffer.from((start === 0 ? '' : ',') + texts.join(',')));
  }
  return { data: new EncodedRows<EventItem>(chunks), nextCursor: encodeEventCursor(position), hasMore };
}
