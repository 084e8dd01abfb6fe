import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
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
  /** By the names of statements and the texts of commands. */
  readonly #configs = new Map<string, pg.QueryConfig>();

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

  /**
   * Returns pg's configuration of a statement, or of a command without a name. pg copies the fields that a configuration has itself, which is slow: these are on
   * its prototype.
   */
  configOf({ name, text }: { name?: string; text: string }): pg.QueryConfig {
    const found = this.#configs.get(name ?? text);
    if (found) return found;
    const prepared = this.#generation === 0 ? name : `${name}_${this.#generation}`;
    const config = Object.create({ text, rowMode: 'array', name: this.#isPreparing && name ? prepared : undefined }) as pg.QueryConfig;
    this.#configs.set(name ?? text, config);
    return config;
  }

  /** Makes every connection prepare its statements again, under other names. */
  prepareAgain(): void {
    this.#generation += 1;
    this.#configs.clear();
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
  /** Why a command of `#configure` failed: PostgreSQL says of the statements after it only that it skipped them. */
  #configureError: Error | undefined;

  constructor(client: pg.PoolClient, sessions: Sessions) {
    this.#client = client;
    this.#sessions = sessions;
  }

  /** Sends a statement that reads, in a transaction of its own. If a migration has changed its columns, sends it again. */
  read(statement: BoundStatement): Promise<unknown[]> {
    const { planner } = statement;
    const again = () => this.read(statement);
    if (planner === undefined) return this.#send(statement, again);
    this.#configure(`begin; ${planner}`);
    const rows = this.#send(statement, again);
    this.#configure('commit');
    return rows;
  }

  /** Sends a statement of a transaction. */
  run(statement: BoundStatement): Promise<unknown[]> {
    if (statement.planner !== undefined) this.#configure(statement.planner);
    return this.#send(statement);
  }

  /** Sends a command without parameters, such as `commit`, and returns pg's result. */
  command(text: string): Promise<pg.QueryResult> {
    return this.#query(this.#sessions.configOf({ text }), text);
  }

  /** Sends plain SQL, which is not prepared, and returns pg's result. */
  query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    return this.#query({ text, values }, text);
  }

  /** Asks PostgreSQL to cancel the statement that runs. */
  cancel(): Promise<void> {
    return sendCancelRequest(this.#client);
  }

  /** Returns the connection to the pool. Statements that still run are completed first. */
  release(): void {
    this.#client.release(this.broken);
  }

  /** @param again sends the statement again after its columns have changed */
  #send(statement: BoundStatement, again?: () => Promise<unknown[]>): Promise<unknown[]> {
    this.#cork();
    onStatementSent();
    const end = this.#sessions.observer?.statement(statement.text)?.();
    return new Promise((resolve, reject) => {
      const { name, text, values } = statement;
      const config = name === undefined ? { text, rowMode: 'array' as const } : this.#sessions.configOf({ name, text });
      const query = new pg.Query<unknown[]>(config, values as unknown[]);
      const rows = new RowCollector(this.#client.connection.stream as Socket, statement.encodeRow);
      query.on('row', (row, result) => rows.add(row, result as pg.QueryArrayResult));
      query.on('end', () => {
        end?.();
        if (rows.failure) reject(rows.failure);
        else resolve(rows.end());
      });
      query.on('error', (error) => {
        this.#onError(error);
        if (!isSkipped(error)) end?.(error);
        if (again && isOutdatedPlan(error)) resolve(again());
        else reject(isSkipped(error) ? (this.#configureError ?? error) : error);
      });
      this.#client.query(query);
    });
  }

  #query(config: pg.QueryConfig, text: string): Promise<pg.QueryResult> {
    this.#cork();
    const end = this.#sessions.observer?.statement(text)?.();
    return new Promise((resolve, reject) => {
      this.#client.query(config, (error: Error | null, result: pg.QueryResult) => {
        end?.(error ?? undefined);
        if (!error) return resolve(result);
        this.#onError(error);
        return reject(error);
      });
    });
  }

  /** Sends a command without waiting for it. If a setting of a transaction fails, so do the statements after it. */
  #configure(text: string): void {
    this.#cork();
    this.#client.query(this.#sessions.configOf({ text }), (error: Error | null) => {
      this.#configureError = isSkipped(error) ? this.#configureError : (error ?? undefined);
      if (error) this.#onError(error);
    });
  }

  /** Delays the write until the statements that are about to follow are sent too. */
  #cork(): void {
    const { stream } = this.#client.connection;
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(uncork, stream);
  }

  #onError(error: Error): void {
    if (!(error instanceof pg.DatabaseError)) this.broken ??= error;
    else if (isOutdatedPlan(error)) this.#sessions.prepareAgain();
  }
}

const uncork = (stream: Duplex): void => stream.uncork();
