import type { Socket } from 'node:net';
import pg from 'pg';
import { sendCancelRequest } from './cancel-request.ts';
import { isOutdatedPlan, isSkipped } from './errors.ts';
import type { BoundStatement } from './executor.ts';
import type { DatabaseObserver } from './observer.ts';
import { RowCollector } from './rows.ts';
import { onStatementSent } from './turns.ts';

/** The connections of a pool. */
export class Sessions {
  readonly #pool: pg.Pool;
  /** Whether statements are prepared under their names. Poolers exist that do not carry prepared statements. */
  readonly #isPreparing: boolean;
  readonly observer: DatabaseObserver | undefined;
  /** Number of migrations that changed the columns of a prepared statement. */
  #generation = 0;

  constructor(pool: pg.Pool, isPreparing: boolean, observer: DatabaseObserver | undefined) {
    this.#pool = pool;
    this.#isPreparing = isPreparing;
    this.observer = observer;
  }

  /** Acquires a connection of the pool. */
  async acquire(): Promise<Session> {
    const startedAt = performance.now();
    const client = await this.#pool.connect();
    this.observer?.connected(performance.now() - startedAt);
    return new Session(client, this);
  }

  /** Returns the name under which to prepare a statement; undefined if it is not prepared for later executions. */
  nameOf({ name }: BoundStatement): string | undefined {
    if (!this.#isPreparing) return undefined;
    return this.#generation === 0 ? name : `${name}_${this.#generation}`;
  }

  /** Makes every connection prepare its statements again, under other names. */
  prepareAgain(): void {
    this.#generation += 1;
  }
}

/**
 * A connection in use. pg sends each statement at once, without waiting for the results of earlier ones (`pipeline`). Statements that are sent before the
 * event loop continues travel with one write.
 */
export class Session {
  readonly #client: pg.PoolClient;
  readonly #sessions: Sessions;
  /** Set when the connection must not be used again, such as after a time limit of this process: PostgreSQL may still run the statement. */
  broken: Error | undefined;

  constructor(client: pg.PoolClient, sessions: Sessions) {
    this.#client = client;
    this.#sessions = sessions;
  }

  /** Sends a statement that reads, in a transaction of its own. */
  read(statement: BoundStatement): Promise<unknown[]> {
    if (!statement.planner) return this.run(statement);
    this.#configure(`begin; ${statement.planner}`);
    const rows = this.run(statement);
    this.#configure('commit');
    return rows;
  }

  /** Sends a statement of a transaction. */
  runInTransaction(statement: BoundStatement): Promise<unknown[]> {
    if (statement.planner) this.#configure(statement.planner);
    return this.run(statement);
  }

  /** Sends plain SQL, which is not prepared, and returns pg's result. */
  async query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    this.#cork();
    try {
      return await this.#client.query(text, values);
    } catch (error) {
      this.#onError(error as Error);
      throw error;
    }
  }

  /** Asks PostgreSQL to cancel the statement that runs. */
  cancel(): Promise<void> {
    return sendCancelRequest(this.#client);
  }

  /** Returns the connection to the pool. Statements that still run are completed first. */
  release(): void {
    this.#client.release(this.broken);
  }

  run(statement: BoundStatement): Promise<unknown[]> {
    const { text, values, encodeRow } = statement;
    const name = this.#sessions.nameOf(statement);
    this.#cork();
    onStatementSent();
    const end = this.#sessions.observer?.statement(text)?.();
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        this.#onError(error);
        if (!isSkipped(error)) end?.(error);
        reject(error);
      };
      const query = new pg.Query<unknown[]>({
        text,
        values: values as unknown[],
        rowMode: 'array',
        ...(name !== undefined && { name }),
      } as pg.QueryConfig);
      const rows = new RowCollector(this.#client.connection.stream, encodeRow);
      query.on('row', (row, result) => rows.add(row, result?.fields ?? []));
      query.on('error', fail);
      query.on('end', () => {
        if (rows.failure) return fail(rows.failure);
        end?.();
        return resolve(rows.end());
      });
      this.#client.query(query);
    });
  }

  /** Sends a command whose failure makes the next statement fail too. */
  #configure(text: string): void {
    this.#cork();
    this.#client.query({ text }).catch((error: unknown) => this.#onError(error as Error));
  }

  /** Delays the write until the statements that are about to follow are sent too. */
  #cork(): void {
    const { stream } = this.#client.connection as unknown as { stream: Socket };
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(uncork, stream);
  }

  #onError(error: Error): void {
    if (!(error instanceof pg.DatabaseError)) this.broken ??= error;
    else if (isOutdatedPlan(error)) this.#sessions.prepareAgain();
  }
}

const uncork = (stream: Socket): void => stream.uncork();
