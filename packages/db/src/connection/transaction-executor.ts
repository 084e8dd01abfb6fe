import type pg from 'pg';
import { isOutdatedPlan, unusable } from './errors.ts';
import type { BoundStatement, Executor } from './executor.ts';
import { type DatabaseObserver, observeAll } from './observer.ts';
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
  readonly #observer: DatabaseObserver | undefined;
  /** Settled when all statements sent so far have ended. Never rejects. */
  #sent: Promise<unknown> = Promise.resolve();
  /** Whether a transaction is open on the connection. */
  #isOpen = false;
  #hasEnded = false;
  /** The first error of a statement. */
  #failure: Error | undefined;
  #committing: Promise<unknown[][]> | undefined;
  #commitsLater = false;
  #beforeCommit: (() => readonly BoundStatement[]) | undefined;
  #onCommitted: ((results: readonly unknown[][]) => void) | undefined;
  /** Set when the connection must not be used again. */
  unusable: Error | undefined;

  constructor(client: pg.ClientBase, prepared: PreparedStatements, observer?: DatabaseObserver) {
    super();
    this.#client = client;
    this.#prepared = prepared;
    this.#observer = observer;
  }

  /**
   * Sends the last statements of the transaction together with COMMIT, which saves a round trip. Their rows are returned after the commit. No statement can
   * run after them.
   */
  readonly atCommit: Executor = {
    run: async (statement) => (this.#commitsLater ? this.run(statement) : ((await this.#commitWith([statement]))[0] ?? [])),
    runAll: (statements) => (this.#commitsLater ? super.runAll(statements) : this.#commitWith(statements)),
  };

  /** Makes `atCommit` run statements without COMMIT, because more statements follow those of the handler. */
  commitLater(): void {
    this.#commitsLater = true;
  }

  /**
   * Sets the function that returns further statements when COMMIT is sent. They travel with it, and an error of them fails the commit.
   * @param onCommitted gets the rows of each of them after the commit
   */
  beforeCommit(statements: () => readonly BoundStatement[], onCommitted?: (results: readonly unknown[][]) => void): void {
    this.#beforeCommit = statements;
    this.#onCommitted = onCommitted;
  }

  /** Whether COMMIT or ROLLBACK was sent, or is about to be. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends plain SQL, which is not prepared, and returns pg's result. For libraries that bring their own SQL. */
  async query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    if (this.#hasEnded || this.unusable) throw this.unusable ?? hasEnded();
    if (!this.#isOpen) await this.#begin();
    try {
      return await this.#client.query(text, values);
    } catch (error) {
      this.#onError(error as Error);
      throw error;
    }
  }

  /**
   * Commits, unless `atCommit` has done so.
   * @throws also if a statement has failed, since PostgreSQL would roll back and report success
   */
  async commit(): Promise<void> {
    await (this.#committing ?? this.#commitWith([]));
  }

  /** Never rejects: if it fails, closing the connection rolls back. */
  async rollback(): Promise<void> {
    this.#hasEnded = true;
    await this.#sent;
    if (!this.#isOpen) return;
    const { error } = await this.#roundTrip([rollback]);
    if (error) this.unusable ??= error;
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

  async #begin(): Promise<void> {
    const { error } = await this.#exchange([]);
    if (error) throw error;
  }

  #commitWith(last: readonly BoundStatement[]): Promise<unknown[][]> {
    if (this.#hasEnded) return Promise.reject(hasEnded());
    this.#hasEnded = true;
    const committing = this.#commitNow(last);
    this.#committing = committing;
    this.#sent = committing.catch(() => undefined);
    return committing;
  }

  async #commitNow(last: readonly BoundStatement[]): Promise<unknown[][]> {
    await this.#sent;
    // pg's transaction status may not be up to date: PostgreSQL sends it after the error.
    if (this.#failure) throw new Error('A statement of the transaction has failed', { cause: this.#failure });
    const beforeCommit = this.#beforeCommit?.() ?? [];
    const statements = [...last, ...beforeCommit];
    // Without BEGIN, the statements of one round trip are a transaction of their own.
    if (this.#isOpen) statements.push(commit);
    if (statements.length === 0) return [];
    const { results, error } = await this.#roundTrip(statements);
    if (error) throw error;
    this.#isOpen = false;
    this.#onCommitted?.(results.slice(last.length, last.length + beforeCommit.length));
    return results;
  }

  /** Sends statements after those that were sent before. Never rejects. */
  #exchange(statements: readonly BoundStatement[]): Promise<Outcome> {
    const outcome = this.#sent.then(() => this.#exchangeNow(statements));
    this.#sent = outcome;
    return outcome;
  }

  async #exchangeNow(statements: readonly BoundStatement[]): Promise<Outcome> {
    const prefix = this.#isOpen ? [] : [begin];
    this.#isOpen = true;
    const { results, error } = await this.#roundTrip([...prefix, ...statements]);
    return { results: results.slice(prefix.length), error };
  }

  async #roundTrip(statements: readonly BoundStatement[]): Promise<Outcome> {
    if (this.unusable) return { results: [], error: this.unusable };
    const outcome = await roundTrip(this.#client, this.#prepared, observeAll(statements, this.#observer));
    if (outcome.error) this.#onError(outcome.error);
    return outcome;
  }

  #onError(error: Error): void {
    this.#failure ??= error;
    this.unusable ??= unusable(error);
    if (isOutdatedPlan(error)) this.#prepared.invalidate();
  }
}

const hasEnded = (): Error => new Error('The transaction has ended');
