import type pg from 'pg';
import { isOutdatedPlan, unusable } from './errors.ts';
import type { BoundStatement } from './executor.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import { type Outcome, roundTrip } from './round-trip.ts';
import { QueueingExecutor, type QueuedStatement } from './queueing-executor.ts';

const begin: BoundStatement = { name: 'begin', text: 'begin', values: [] };
const commit: BoundStatement = { name: 'commit', text: 'commit', values: [] };
const rollback: BoundStatement = { name: 'rollback', text: 'rollback', values: [] };

/**
 * Sends the statements of one transaction. BEGIN travels with the first statement. Statements that are started without waiting for each other travel
 * together: `await Promise.all([db.run(a), db.run(b)])` is one round trip.
 */
export class TransactionExecutor extends QueueingExecutor {
  readonly #client: pg.ClientBase;
  readonly #prepared: PreparedStatements;
  /** Settled when all statements sent so far have ended. Never rejects. */
  #sent: Promise<unknown> = Promise.resolve();
  #hasBegun = false;
  #hasEnded = false;
  /** The first error of a statement. */
  #failure: Error | undefined;
  readonly #atCommit: BoundStatement[] = [];
  /** Set when the connection must not be used again. */
  unusable: Error | undefined;

  constructor(client: pg.ClientBase, prepared: PreparedStatements) {
    super();
    this.#client = client;
    this.#prepared = prepared;
  }

  /** Sends the statement with COMMIT. An error of it fails the commit. */
  runAtCommit(statement: BoundStatement): void {
    this.#atCommit.push(statement);
  }

  /** Sends plain SQL, which is not prepared, and returns pg's result. For libraries that bring their own SQL. */
  async query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    if (this.#hasEnded || this.unusable) throw this.unusable ?? hasEnded();
    if (!this.#hasBegun) await this.#send([]);
    try {
      return await this.#client.query(text, values);
    } catch (error) {
      this.#onError(error as Error);
      throw error;
    }
  }

  /** @throws also if a statement has failed, since PostgreSQL would roll back and report success */
  async commit(): Promise<void> {
    this.#hasEnded = true;
    await this.#sent;
    // pg's transaction status may not be up to date: PostgreSQL sends it after the error.
    if (this.#failure) throw new Error('A statement of the transaction has failed', { cause: this.#failure });
    if (this.#hasBegun || this.#atCommit.length > 0) await this.#send([...this.#atCommit, commit]);
  }

  /** Never rejects: if it fails, closing the connection rolls back. */
  async rollback(): Promise<void> {
    this.#hasEnded = true;
    await this.#sent;
    if (this.#hasBegun && !this.unusable) await this.#send([rollback]).catch((error: unknown) => (this.unusable ??= error as Error));
  }

  protected async sendQueued(queued: QueuedStatement[]): Promise<void> {
    // Outside the transaction, PostgreSQL would commit each statement on its own.
    const { results, error } = this.#hasEnded
      ? { results: [], error: hasEnded() }
      : await this.#exchange(queued.map(({ statement }) => statement));
    for (const [index, { resolve, reject }] of queued.entries()) {
      const rows = results[index];
      if (rows) resolve(rows);
      else reject(error);
    }
  }

  async #send(statements: BoundStatement[]): Promise<void> {
    const { error } = await this.#exchange(statements);
    if (error) throw error;
  }

  /** Sends statements after those that were sent before. Never rejects. */
  #exchange(statements: BoundStatement[]): Promise<Outcome> {
    const outcome = this.#sent.then(() => this.#exchangeNow(statements));
    this.#sent = outcome;
    return outcome;
  }

  async #exchangeNow(statements: BoundStatement[]): Promise<Outcome> {
    if (this.unusable) return { results: [], error: this.unusable };
    const prefix = this.#hasBegun ? [] : [begin];
    this.#hasBegun = true;
    const { results, error } = await roundTrip(this.#client, this.#prepared, [...prefix, ...statements]);
    if (error) this.#onError(error);
    return { results: results.slice(prefix.length), error };
  }

  #onError(error: Error): void {
    this.#failure ??= error;
    this.unusable ??= unusable(error);
    if (isOutdatedPlan(error)) this.#prepared.invalidate();
  }
}

const hasEnded = (): Error => new Error('The transaction has ended');
