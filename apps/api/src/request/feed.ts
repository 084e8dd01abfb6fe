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
  after: EventPosition;
  waitMs: number;
  abort: RequestAbort;
}

export interface WaitForEvents {
  /** Whether the service is stopping, so that no reader should wait. */
  readonly isStopping: boolean;
  /**
   * Waits for an event after the position that the reader may see, for the time to pass, for the client to disconnect, or for the service to stop.
   * @returns the position where the reader continues: later than `after` if there are events in between that only others may see
   */
  wait(wait: EventWait): Promise<EventPosition>;
}
