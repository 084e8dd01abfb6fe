import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { sendCancelRequest } from './cancel-request.ts';

/** Whoever waits for a read. */
export interface CancellableRequest {
  readonly signal: AbortSignal;
}

const current = new AsyncLocalStorage<CancellableRequest | undefined>();

/** Runs a read: when the request is aborted, the statement that runs is cancelled in the database, and statements after it are not sent. */
export const cancellable = <T>(request: CancellableRequest, read: () => T): T => current.run(request, read);

/** Runs a write inside a read: it is not cancelled. */
export const uncancellable = <T>(write: () => T): T => current.run(undefined, write);

/** Cancel requests that are sent at once: each is a connection of its own. */
const maxAtOnce = 2;
let sending = 0;

/**
 * Sends a statement. When the current read is aborted, the statement is cancelled.
 *
 * PostgreSQL cancels whatever statement the backend runs when the request arrives. So this resolves or rejects only after the cancel request has completed:
 * until then the connection must not run another statement.
 * @throws the signal's reason when the read was aborted, or what the statement throws
 */
export async function sendCancellable<T>(client: pg.PoolClient, send: () => Promise<T>): Promise<T> {
  const signal = current.getStore()?.signal;
  if (!signal) return send();
  signal.throwIfAborted();
  let cancelling: Promise<void> | undefined;
  const cancel = () => {
    // Over the limit the statement is left to its time limit.
    if (sending >= maxAtOnce) return;
    sending += 1;
    cancelling = sendCancelRequest(client).finally(() => (sending -= 1));
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await send();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    await cancelling;
  }
}
