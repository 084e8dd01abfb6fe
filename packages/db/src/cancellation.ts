import { AsyncLocalStorage } from 'node:async_hooks';
import pLimit from 'p-limit';
import type pg from 'pg';
import { sendCancelRequest } from './cancel-request.ts';

/** A request whose reads can be cancelled. */
export interface CancellableRequest {
  readonly signal: AbortSignal;
}

const current = new AsyncLocalStorage<CancellableRequest | undefined>();

/** Runs a read. When the request is aborted, PostgreSQL cancels the running statement, and later statements are not sent. */
export const cancellable = <T>(request: CancellableRequest, read: () => T): T => current.run(request, read);

/** Runs a write inside a read: it is not cancelled. */
export const uncancellable = <T>(write: () => T): T => current.run(undefined, write);

/** Sends at most two cancel requests at once, since each opens a connection. The others wait for their turn. */
const inTurn = pLimit(2);

/**
 * Sends a statement. When the current read is aborted, the statement is cancelled.
 *
 * PostgreSQL cancels whatever statement the backend runs when the cancel request arrives. Two rules keep it from cancelling a later statement:
 * - A cancel request that still waits for its turn when the statement ends is not sent.
 * - The returned promise settles after the cancel request has completed. Until then the connection must not run another statement.
 * @throws the signal's reason when the read was aborted, or what the statement throws
 */
export async function sendCancellable<T>(client: pg.PoolClient, send: () => Promise<T>): Promise<T> {
  const signal = current.getStore()?.signal;
  if (!signal) return send();
  signal.throwIfAborted();
  let hasEnded = false;
  let cancelRequest: Promise<void> | undefined;
  const cancel = () => void inTurn(() => (hasEnded ? undefined : (cancelRequest = sendCancelRequest(client))));
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await send();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    hasEnded = true;
    signal.removeEventListener('abort', cancel);
    await cancelRequest;
  }
}
