import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Called when a statement is sent.
 * @returns a function to call at the end, with the error if the statement failed; not called if PostgreSQL skipped the statement
 */
export type StartStatement = () => (error?: Error) => void;

/** Observes the statements of a database, for traces. */
export interface DatabaseObserver {
  /** Called in the asynchronous context that asks for the statement. Undefined if the statement is not observed. @param text with placeholders */
  statement(text: string): StartStatement | undefined;
  /** Called when a connection was acquired. @param waitMs how long that took, in milliseconds */
  connected(waitMs: number): void;
}

/**
 * Observes the plain SQL of a connection, such as that of Kysely and of the job queue, and closes the connection if PostgreSQL sends nothing for this time
 * while a statement runs. The statement then fails, and the database counts as unavailable.
 *
 * pg's own `query_timeout` needs a timer for each statement, and keeps the rows of a result that this package reads one by one.
 * @param responseMs longer than `statement_timeout`
 */
export function watchClient(client: pg.PoolClient, responseMs: number, observer: DatabaseObserver | undefined): void {
  let isWaiting = false;
  client.on('drain', () => {
    isWaiting = false;
  });
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const watchedQuery = (...args: unknown[]): unknown => {
    isWaiting = true;
    const [text] = args;
    const end = typeof text === 'string' ? observer?.statement(text)?.() : undefined;
    const pending = query(...args);
    if (end && pending instanceof Promise) void pending.then(() => end(), end);
    // With a callback, as from `pool.query`, there is no promise. Requests and jobs do not use it.
    else end?.();
    return pending;
  };
  client.query = watchedQuery as typeof client.query;
  const stream = client.connection.stream as Socket;
  stream.setTimeout(responseMs, () => {
    if (isWaiting) stream.destroy(new Error(`Query read timeout: no response within ${responseMs} ms`));
  });
}
