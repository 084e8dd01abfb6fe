import { type EventType, eventTypesOf, type EventTypeFilter } from '@profile-service/contracts';
import {
  addDeliveries,
  type AttemptResult,
  type Database,
  type DeliverableWebhook,
  type Delivery,
  disableWebhook,
  type EventPosition,
  type EventRow,
  findDueDeliveries,
  findEventsForWebhook,
  firstPosition,
  hasMaxPending,
  moveProgress,
  type OrganizationScope,
  readEvents,
  recordAttempts,
  scoped,
  UnknownEventPositionError,
} from '@profile-service/db';
import type { WebhookClient } from '@profile-service/webhooks';
import type { Log } from '../observability/log.ts';
import { toFeedEvent } from '../journal/event-feed.ts';
import type { WaitForEvents } from '../request/feed.ts';
import { RequestAbort } from '../request/request-abort.ts';
import { isGone, resultOf } from './delivery-result.ts';

/** How many deliveries of a webhook are read at once, and how much data they have together, in bytes: 1,500 webhooks whose receivers hang hold 94 MiB. */
const [maxQueued, maxQueuedBytes] = [50, 64 * 1024];
/** How long one wait for events lasts at most, in milliseconds. */
const waitMs = 10_000;

export interface WebhookWorkerOptions {
  database: Database;
  client: WebhookClient;
  events: WaitForEvents;
  /** How many requests of the webhook may run at once. */
  concurrency: number;
  log: Log;
  /** Runs work on the database when it is its turn. Many workers at once would wait too long for a connection. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The time by the clock of the database: receivers reject a signature with a wrong time. */
  now(): Date;
  /** Called after each attempt, for the metrics. */
  onAttempt(status: AttemptResult['status']): void;
}

/** A delivery with the body of its request. */
interface Queued {
  delivery: Delivery;
  body: string;
}

/**
 * Sends the events of one webhook: adds deliveries for its next events, sends those that are due, and stores the results. Only one worker of a webhook may run
 * at a time, in all instances.
 */
export class WebhookWorker {
  readonly webhook: DeliverableWebhook;
  readonly #secrets: string[];
  readonly #options: WebhookWorkerOptions;
  readonly #types: EventType[];
  readonly #scope: OrganizationScope;
  readonly #abort = new RequestAbort();
  readonly #queue: Queued[] = [];
  readonly #sending = new Map<string, Promise<void>>();
  #results: AttemptResult[] = [];
  /** Where the webhook is stored to be, and how far the events were read since then. */
  #stored: EventPosition;
  #position: EventPosition;
  #hasEvents = true;
  #isWaiting = false;
  #isFull = false;
  #hasDue = true;
  #isGone = false;
  #wake: () => void = () => undefined;

  constructor(webhook: DeliverableWebhook, secrets: string[], options: WebhookWorkerOptions) {
    this.webhook = webhook;
    this.#secrets = secrets;
    this.#options = options;
    this.#types = eventTypesOf(webhook.types as EventTypeFilter[]);
    this.#scope = webhook.tenantId === null ? { kind: 'all' } : { kind: 'tenant', tenantId: webhook.tenantId };
    this.#stored = this.#position = webhook.position;
  }

  /** Whether it has too many pending deliveries to add further ones. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Looks for deliveries that are due. */
  sendDue(): void {
    this.#hasDue = true;
    this.#wake();
  }

  /** Starts no more requests. */
  stop(): void {
    this.#abort.abort();
    this.#wake();
  }

  /** Runs until it is stopped and the running requests have ended. Throws if the database fails. */
  async run(): Promise<void> {
    try {
      await this.#sendUntilStopped();
    } finally {
      // Also if the database has failed: the next worker must not repeat requests that run.
      await Promise.all(this.#sending.values());
    }
    await this.#options.inTurn(async () => {
      await this.#record();
      if (this.#position !== this.#stored) await moveProgress(this.#options.database, this.webhook.id, this.#stored, this.#position);
    });
  }

  async #sendUntilStopped(): Promise<void> {
    while (!this.#abort.reason) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      const { inTurn } = this.#options;
      if (this.#results.length > 0) await inTurn(() => this.#record());
      if (this.#queue.length === 0 && (this.#hasDue || this.#hasEvents)) await inTurn(() => this.#fill());
      this.#send();
      if (this.#results.length > 0) continue;
      const isDone = !this.#hasDue && (!this.#hasEvents || this.#isFull);
      if (isDone) void this.#waitForEvents();
      if (isDone || this.#queue.length > 0) await woken;
    }
  }

  /** Finds what to send next: retries first, then the next events. */
  async #fill(): Promise<void> {
    const { database } = this.#options;
    if (this.#hasDue) {
      const due = await findDueDeliveries(database, this.webhook.id, [...this.#sending.keys()], maxQueued);
      this.#hasDue = due.length === maxQueued;
      if (due.length > 0) {
        const { events, count } = await findEventsForWebhook(scoped(database.executor, this.#scope), due, maxQueuedBytes);
        this.#hasDue ||= count < due.length;
        return this.#enqueue(due.slice(0, count), events);
      }
    }
    if (!this.#hasEvents) return;
    this.#isFull = await hasMaxPending(database, this.webhook.id);
    if (this.#isFull) return;
    const { events, position, hasMore } = await this.#readEvents();
    // A webhook does not get the events about itself.
    const others = events.filter(({ recordId }) => recordId !== this.webhook.id);
    if (others.length > 0 || hasMore) {
      const added = await addDeliveries(database, this.webhook.id, others, this.#stored, position);
      this.#enqueue(added, others);
      this.#stored = position;
    }
    this.#position = position;
    this.#hasEvents = hasMore;
  }

  async #readEvents() {
    const { database, log } = this.#options;
    const query = { types: this.#types, limit: maxQueued, maxBytes: maxQueuedBytes };
    const read = (after: EventPosition) =>
      readEvents(scoped(database.executor, this.#scope), 'webhook', { ...query, after, isCursor: true });
    try {
      return await read(this.#position);
    } catch (error) {
      if (!(error instanceof UnknownEventPositionError)) throw error;
      log.warn({ webhook: this.webhook.id }, 'a webhook continues with the oldest event: events that it had not got are no longer kept');
      return read(firstPosition);
    }
  }

  #enqueue(deliveries: readonly Delivery[], events: readonly EventRow[]): void {
    const byId = new Map(events.map((event) => [event.id, event]));
    for (const delivery of deliveries) {
      const event = byId.get(delivery.eventId);
      if (event) this.#queue.push({ delivery, body: bodyOf(event, this.#scope.kind === 'tenant') });
      else this.#results.push(lostEvent(delivery, this.#options.now()));
    }
  }

  #send(): void {
    while (this.#sending.size < this.#options.concurrency && !this.#abort.reason) {
      const next = this.#queue.shift();
      if (!next) return;
      this.#sending.set(next.delivery.id, this.#sendOne(next));
    }
  }

  async #sendOne({ delivery, body }: Queued): Promise<void> {
    const { client, onAttempt, now } = this.#options;
    const attempt = await client.send({ url: this.webhook.url, id: delivery.eventId, body, secrets: this.#secrets, at: now() });
    const result = resultOf(delivery, attempt);
    if (isGone(attempt)) this.#isGone = true;
    onAttempt(result.status);
    this.#results.push(result);
    this.#wake();
  }

  /** Stores the results so far. The deliveries are in `#sending` until then, so that none is sent twice. */
  async #record(): Promise<void> {
    const results = this.#results;
    if (results.length === 0) return;
    this.#results = [];
    const { database } = this.#options;
    const { isFailing, hasDue } = await recordAttempts(database, this.webhook.id, results);
    for (const { deliveryId } of results) this.#sending.delete(deliveryId);
    this.#hasDue ||= hasDue;
    if (!this.#isGone && !isFailing) return;
    await disableWebhook(database, this.webhook, this.#isGone ? 'ENDPOINT_GONE' : 'FAILING');
    this.stop();
  }

  async #waitForEvents(): Promise<void> {
    // The wait would end at once, and again: without pause, nothing else would run in the process.
    if (this.#options.events.isStopping) return this.stop();
    if (this.#isWaiting || this.#hasEvents) return;
    this.#isWaiting = true;
    const wait = { tenantId: this.webhook.tenantId, types: this.#types, after: this.#position, waitMs, abort: this.#abort };
    ({ position: this.#position, hasEvents: this.#hasEvents } = await this.#options.events.wait(wait));
    this.#isWaiting = false;
    this.#wake();
  }
}

/** The event as JSON, with the time in the field of the Standard Webhooks. */
function bodyOf(event: EventRow, isOfTenant: boolean): string {
  const { json } = toFeedEvent(event, isOfTenant);
  return `${json.slice(0, -1)},"timestamp":${JSON.stringify(event.occurredAt)}}`;
}

/** The result of a delivery whose event cannot be sent any more. */
const lostEvent = ({ id }: Delivery, at: Date): AttemptResult => ({
  deliveryId: id,
  isLost: true,
  attempt: {
    at: at.toISOString(),
    durationMs: 0,
    responseStatus: null,
    responseBody: null,
    error: 'The event is no longer kept, or the webhook may no longer see it',
  },
  status: 'FAILED',
  retrySeconds: null,
});
