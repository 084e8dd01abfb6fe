import type { ErrorShape, ProblemError } from '@profile-service/contracts';
import type { Request, Response } from 'express';
import type { EventSink } from '../../request/feed.ts';
import { openEventStream, retryMs } from '../http/event-stream.ts';
import { problemHeaders } from '../../request/problem.ts';
import { hasToken, setHeaders, setRateLimitHeaders } from '../http/send.ts';

/** A client that gets no message for this time connects again, in milliseconds. A quiet stream has one every 15 seconds. */
const reconnectAfterInactivityMs = 45_000;

const connected = `retry: ${retryMs}\nevent: connected\ndata: ${JSON.stringify({ reconnectAfterInactivityMs })}\n\n`;

/** Opens the stream of a subscription: tRPC's messages have no type. A position alone is a ping, which also shows that the connection is alive. */
export const openSubscription = (response: Response): EventSink =>
  openEventStream(response, { head: connected, hasTypes: false, quiet: 'event: ping\ndata: \n' });

/** Sends an error as a stream. If the stream has begun, closes the connection instead, and the client connects again. */
export function sendSubscriptionError(response: Response, problem: ProblemError, error: ErrorShape): void {
  if (response.headersSent) return void response.destroy();
  setRateLimitHeaders(response);
  setHeaders(response, {
    ...problemHeaders(problem, hasToken(response.req)),
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
  });
  response.end(`${connected}event: serialized-error\ndata: ${JSON.stringify(error)}\n\n`);
}

/** The id of the last event, in the header of `EventSource`, or in the parameter with which other clients replace the header. */
export function lastEventIdOf({ headers }: Request, search: URLSearchParams): { lastEventId?: string } {
  const lastEventId = headers['last-event-id']?.toString() ?? search.get('lastEventId') ?? search.get('Last-Event-Id');
  return lastEventId === null ? {} : { lastEventId };
}
