import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

type EventList = components['schemas']['EventList'];
type EventTypeFilter = components['schemas']['EventTypeFilter'];

/**
 * The pages of events after the cursor, without end. Store the `nextCursor` of a page after you have applied it.
 * Throws an error that is not temporary. After EVENT_CURSOR_EXPIRED, take a new cursor and copy the lists again.
 */
export async function* follow(client: Client<paths>, cursor: string, types: EventTypeFilter[]): AsyncGenerator<EventList> {
  for (let ms = 1_000; ;) {
    const query = { cursor, types, wait: 25 };
    const options = {
      params: { query },
      querySerializer: { array: { style: 'form', explode: false } },
      signal: AbortSignal.timeout(60_000),
    } as const;
    const { data, error, response } = await client
      .GET('/api/events', options)
      .catch((failure: unknown) => ({ data: undefined, error: failure, response: undefined }));
    if (data) {
      yield data;
      cursor = data.nextCursor;
      ms = 1_000;
    } else if (!response || [429, 502, 503, 504].includes(response.status)) {
      await pause(ms * (1 + Math.random() / 2));
      ms = Math.min(ms * 2, 30_000);
    } else {
      throw new Error(`The events cannot be read: status ${response.status}`, { cause: error });
    }
  }
}
