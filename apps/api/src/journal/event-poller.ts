import { setTimeout as pause } from 'node:timers/promises';
import { comparePositions, type EventPosition, type Executor, findNewEvents, type NewEvent } from '@profile-service/db';
import type { EventWait, EventWaitResult, WaitForEvents } from '../request/feed.ts';

/** Time between two polls, in milliseconds. */
const intervalMs = 100;
/** How many new events a poll reads. */
const maxEvents = 1_000;

/** Keys beside the ids of tenants: a reader of the events of all tenants, and an event that many tenants may see. */
const [allTenants, everyTenant] = [null, 'every'];

interface Waiter extends Pick<EventWait, 'tenantId' | 'types' | 'after'> {
  /** @param position up to which there is no event for the reader */
  end(position: EventPosition, hasEvents: boolean): void;
}

/**
 * Wakes readers when there are new events that they may see. One query finds the new events for all readers of the instance. It runs only while a reader
 * waits, so writes and idle instances pay nothing.
 */
export class EventPoller implements WaitForEvents {
  readonly #executor: Executor;
  readonly #stopping = new AbortController();
  readonly #waiters = new Set<Waiter>();
  /** Readers were woken for all events up to here. Undefined while none waits. */
  #position: EventPosition | undefined;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  wait({ tenantId, types, after, waitMs, abort }: EventWait): Promise<EventWaitResult> {
    const isBehind = this.#position !== undefined && comparePositions(after, this.#position) < 0;
    if (isBehind || abort.reason || this.isStopping) return Promise.resolve({ position: after, hasEvents: isBehind });
    return new Promise((resolve) => {
      const giveUp = () => waiter.end(this.#position ?? after, false);
      const timer = setTimeout(giveUp, waitMs);
      const stopListening = abort.onAbort(giveUp);
      const waiter: Waiter = {
        tenantId,
        types,
        after,
        end: (position, hasEvents) => {
          clearTimeout(timer);
          stopListening();
          this.#waiters.delete(waiter);
          resolve({ position: comparePositions(position, after) > 0 ? position : after, hasEvents });
        },
      };
      this.#waiters.add(waiter);
      if (!this.#position) void this.#poll(after);
    });
  }

  /** Ends all waits. Later ones end at once. */
  stop(): void {
    this.#stopping.abort();
    for (const { end, after } of this.#waiters) end(after, false);
  }

  async #poll(start: EventPosition): Promise<void> {
    let position = (this.#position = start);
    while (this.#waiters.size > 0) {
      // A reader reports the failure when it reads.
      const found = await findNewEvents(this.#executor, position, maxEvents).catch(() => []);
      this.#wake(found, position);
      position = this.#position = found.at(-1) ?? position;
      if (found.length < maxEvents) await pause(intervalMs);
    }
    this.#position = undefined;
  }

  /** Wakes the readers of the new events. @param position before these events */
  #wake(found: readonly NewEvent[], position: EventPosition): void {
    /** The last event of each type, by tenant. */
    const lastOf = new Map<string | null, Map<string, EventPosition>>();
    for (const event of found) {
      for (const id of [allTenants, ...(event.tenantIds ?? [everyTenant])]) {
        const types = lastOf.get(id) ?? new Map<string, EventPosition>();
        lastOf.set(id, types.set(event.type, event));
      }
    }
    for (const { tenantId, types, after, end } of this.#waiters) {
      const seen = [lastOf.get(tenantId), lastOf.get(everyTenant)].flatMap((last) => [...(last ?? [])]);
      const concerned = seen.some(([type, event]) => (types?.includes(type) ?? true) && comparePositions(event, after) > 0);
      if (concerned) end(position, true);
    }
  }
}
