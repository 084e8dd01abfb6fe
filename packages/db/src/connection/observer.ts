import type pg from 'pg';
import type { BoundStatement } from './executor.ts';

/**
 * Called when a statement is sent. PostgreSQL returns the results of all statements of a round trip at once, so they also end together.
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

/** A statement whose execution is observed. */
export interface ObservedStatement extends BoundStatement {
  readonly onStart?: StartStatement;
}

/** Observes the execution of a statement that the current asynchronous context asks for. */
export function observe(statement: BoundStatement, observer: DatabaseObserver | undefined): ObservedStatement {
  const onStart = observer?.statement(statement.text);
  return onStart ? { ...statement, onStart } : statement;
}

/** Observes the execution of several statements. */
export const observeAll = (statements: readonly BoundStatement[], observer: DatabaseObserver | undefined): readonly ObservedStatement[] =>
  observer ? statements.map((statement) => observe(statement, observer)) : statements;

/** Acquires a connection of the pool. */
export async function acquire(pool: pg.Pool, observer: DatabaseObserver | undefined): Promise<pg.PoolClient> {
  if (!observer) return pool.connect();
  const startedAt = performance.now();
  const client = await pool.connect();
  observer.connected(performance.now() - startedAt);
  return client;
}

/** Makes the connection observe plain SQL, such as that of Kysely and of the job queue. Round trips observe their statements themselves. */
export function observePlainSql(client: pg.ClientBase, observer: DatabaseObserver): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const observedQuery = (...args: unknown[]): unknown => {
    const [text] = args;
    const start = typeof text === 'string' ? observer.statement(text) : undefined;
    if (!start) return query(...args);
    const end = start();
    const pending = query(...args);
    if (pending instanceof Promise) void pending.then(() => end(), end);
    // With a callback, as from `pool.query`, there is no promise. Requests and jobs do not use it.
    else end();
    return pending;
  };
  client.query = observedQuery as typeof client.query;
}
