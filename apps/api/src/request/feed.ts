import type { EventPosition } from '@profile-service/db';
import type { RequestAbort } from './request-abort.ts';

/** An event as JSON, with the position after it. */
export interface FeedEvent {
  type: string;
  json: string;
  position: EventPosition;
}

/** A part of the event feed. */
export interface FeedPage {
  events: FeedEvent[];
  /** Where to continue. */
  position: EventPosition;
  hasMore: boolean;
}

/** A reader that has got all events up to a position. */
export interface EventWait {
  /** Whose events it waits for. Null for the events of all tenants. */
  tenantId: string | null;
  /** The types of events for which it waits. Undefined for all. */
  types?: readonly string[] | undefined;
  after: EventPosition;
  waitMs: number;
  abort: RequestAbort;
}

export interface EventWaitResult {
  /** Where the reader continues. Later than before if there are events in between that only others may see. */
  position: EventPosition;
  /** Whether there may be an event for the reader. */
  hasEvents: boolean;
}

/** The open response of a stream of events. */
export interface EventSink {
  /** Sends events. Resolves when the client has received most of what was sent; a client that does not read is disconnected. */
  send(events: readonly FeedEvent[]): Promise<void>;
  /** Sends a position alone, for a reader who gets no events. */
  sendPosition(position: EventPosition): Promise<void>;
  end(): void;
}

export interface WaitForEvents {
  /** Whether the service is stopping, so that no reader should wait. */
  readonly isStopping: boolean;
  /**
   * Waits for an event after the position that the reader may see, for the time to pass, for the client to disconnect, or for the service to stop.
   */
  wait(wait: EventWait): Promise<EventWaitResult>;
}
