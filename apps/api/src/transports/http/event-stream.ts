import type { Response } from 'express';
import { encodeEventCursor } from '../../request/event-cursor.ts';
import type { EventSink } from '../../request/feed.ts';
import { drained } from './drained.ts';
import { setHeaders, setRateLimitHeaders } from './send.ts';

/** How long `EventSource` waits before it connects again, in milliseconds. */
export const retryMs = 2_000;
/** How long a client may take to receive what was sent, in milliseconds. */
const drainMs = 30_000;

/** What differs between the transports. */
export interface EventStreamFormat {
  /** The first text. */
  head: string;
  /** Whether a message has the type of its event. */
  hasTypes: boolean;
  /** The lines of a message that has a position alone, before its `id`. */
  quiet: string;
}

/** Sends the head of a stream of server-sent events. The headers keep proxies from buffering it. */
export function openEventStream(response: Response, { head, hasTypes, quiet }: EventStreamFormat): EventSink {
  setRateLimitHeaders(response);
  setHeaders(response, { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' });
  response.writeHead(200);
  response.write(head);

  async function write(text: string): Promise<void> {
    if (response.destroyed || response.write(text)) return;
    await drained(response, drainMs);
  }

  return {
    send: (events) =>
      write(
        events
          .map(({ type, json, position }) => `id: ${encodeEventCursor(position)}\n${hasTypes ? `event: ${type}\n` : ''}data: ${json}\n\n`)
          .join(''),
      ),
    sendPosition: (position) => write(`${quiet}id: ${encodeEventCursor(position)}\n\n`),
    end: () => void response.end(),
  };
}
