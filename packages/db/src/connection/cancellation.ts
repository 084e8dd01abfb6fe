import pLimit from 'p-limit';
import type pg from 'pg';
import { sendCancelRequest } from './cancel-request.ts';
import type { Executor } from './executor.ts';

/** A request whose reads can be cancelled. */
export interface CancellableRequest {
  /** Throws the reason if the request was aborted. */
  throwIfAborted(): void;
  /** Calls the listener when the request is aborted. @returns a function that removes the listener */
  onAbort(listener: () => void): () => void;
  /**
   * The executors of its reads, by the executor of their pool. Not in a WeakMap: its values refer to the request, so a minor garbage collection would keep
   * both.
   */
  readonly executors: Map<Executor, Executor>;
}

/** Sends at most two cancel requests at once, since each opens a connection. The others wait for their turn. */
const inTurn = pLimit(2);

/**
 * Sends a statement. When the request is aborted, the statement is cancelled.
 *
 * PostgreSQL cancels whatever statement the backend runs when the cancel request arrives. Two rules keep it from cancelling a later statement:
 * - A cancel request that still waits for its turn when the statement ends is not sent.
 * - The returned promise settles after the cancel request has completed. Until then the connection must not run another statement.
 * @throws the reason if the request was already aborted, or what `send` throws
 */
export async function sendCancellable<T>(client: pg.ClientBase, request: CancellableRequest, send: () => Promise<T>): Promise<T> {
  request.throwIfAborted();
  let hasEnded = false;
  let cancelRequest: Promise<void> | undefined;
  const stopListening = request.onAbort(() => void inTurn(() => (hasEnded ? undefined : (cancelRequest = sendCancelRequest(client)))));
  try {
    return await send();
  } finally {
    hasEnded = true;
    stopListening();
    if (cancelRequest) await cancelRequest;
  }
}
