import { setTimeout as pause } from 'node:timers/promises';
import { type ErrorCode, ProblemError } from '@profile-service/contracts';
import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import type { EventSink, FeedPage } from '../feed.ts';
import type { AnyFeed } from '../handler.ts';
import type { RawInput } from '../input.ts';
import { validationFailed } from '../validation-failed.ts';
import type { Accepted } from './accept.ts';
import { reauthorize } from './admit.ts';
import { readEvents, waitForEvents } from './read-events.ts';

/** Pause after a failure that may pass, in milliseconds. */
const retryMs = 1_000;

/** Failures that may pass: the stream waits, because `EventSource` gives up when a new connection gets an error. */
const temporary: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'IDENTITY_PROVIDER_UNAVAILABLE', 'RATE_LIMITED'];

/** Returns the id of the last event that the client got. Throws VALIDATION_FAILED. */
export function readLastEventId({ rawInput: { lastEventId } = {} as RawInput }: RequestContext): string | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  if (typeof lastEventId !== 'string') throw validationFailed('lastEventId', 'Expected the id of an event');
  return lastEventId;
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/**
 * Sends events as they come. Access is checked again before each page. Ends the stream after about 15 minutes, when the service stops, when access ends, and
 * when the cursor expires: a client that connects again gets the error.
 * @param first the events that were read before the stream was opened
 */
export async function streamEvents(
  context: RequestContext,
  handler: AnyFeed,
  dependencies: RequestDependencies,
  { authorization: admitted, input }: Accepted,
  sink: EventSink,
  first: FeedPage,
): Promise<void> {
  const { events, eventStreams } = dependencies;
  const { lifetimeMs, positionMs, accessMs } = eventStreams.times;
  const endsAt = performance.now() + lifetimeMs * (0.8 + 0.4 * Math.random());
  context.tracing = undefined;
  let page = first;
  let sentAt = performance.now();
  /** Sends a page and reads the next one. Waits for it if there is none. */
  const next = async (): Promise<FeedPage> => {
    if (page.events.length > 0) {
      await sink.send(page.events);
      // A repetition after a failure must not send them again.
      page = { ...page, events: [] };
      sentAt = performance.now();
    }
    let { position, hasMore } = page;
    if (!hasMore) {
      const waitMs = Math.min(accessMs, Math.max(endsAt - performance.now(), 0));
      ({ position, hasEvents: hasMore } = await waitForEvents(context, events, admitted.caller, position, waitMs));
    }
    if (performance.now() - sentAt >= positionMs) {
      await sink.sendPosition(position);
      sentAt = performance.now();
    }
    page = { events: [], position, hasMore };
    const authorization = await reauthorize(context, dependencies);
    if (!hasMore) return page;
    const key = `${handler.audience({ input, caller: authorization.caller } as never)} ${JSON.stringify(position)}`;
    const read = () => readEvents(context, handler, dependencies, { authorization, input }, { after: position, isCursor: true });
    return eventStreams.read(key, read).catch((error: unknown) => {
      // The client whose read was shared has disconnected.
      if (isAbort(error) && !context.request.abort.reason) return read();
      throw error;
    });
  };
  try {
    while (performance.now() < endsAt && !events.isStopping) {
      try {
        page = await next();
      } catch (error) {
        if (!(error instanceof ProblemError) || !temporary.includes(error.code)) throw error;
        await pause(retryMs);
      }
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    context.log.debug({ code: error.code }, 'a stream of events has ended');
  } finally {
    sink.end();
  }
}
