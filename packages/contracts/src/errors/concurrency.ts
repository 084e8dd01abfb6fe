import type { ErrorDeclarations } from './declaration.ts';

/** Requests that compete with others, or that are repeated. */
export const concurrencyErrors = {
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    status: 409,
    title: 'Request in progress',
    when: 'A request with this `Idempotency-Key` and the same input is still running. `Retry-After` states the seconds to wait.',
    cause: 'The client repeated a request after its own timeout, while the service was still working on the first one.',
    action: 'Wait for `Retry-After`, and repeat the request with the same key. It then gets the response of the first one.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    title: 'Precondition failed',
    when: 'The record has changed since the client read the version in `If-Match`. Nothing was changed. Read the record again.',
    cause: 'Another user or program saved the record first. A repeated PUT gets it too, if the first one succeeded.',
    action: 'Read the record again, compare, and send your change with its new `ETag`. Ask the user if both changed the same field.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'Idempotency key reused',
    when: 'This `Idempotency-Key` came with another operation, active tenant or input. Send a new key for a new request.',
    cause: 'The client uses one key for several requests, or changed a field before it repeated the request.',
    action: 'Create a random key, such as a UUID, for each change. Keep it only for repetitions of the same request.',
  },
  EVENT_CURSOR_EXPIRED: {
    status: 410,
    title: 'Event cursor expired',
    when: 'The event of the cursor is no longer kept, or a restore of the database has undone it.',
    cause: 'The reader has not continued for longer than events are kept, or the database was restored from a backup.',
    action:
      'Request events with `startDate` in the future and store `nextCursor`. Then list all records again, and continue with the events after that cursor.',
  },
} as const satisfies ErrorDeclarations;
