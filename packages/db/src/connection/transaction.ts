import type pg from 'pg';
import { isSkipped } from './errors.ts';
import type { BoundStatement, Executor } from './executor.ts';
import type { Session } from './session.ts';

/**
 * Sends the statements of one transaction. BEGIN travels with the first statement. Statements that are started without waiting for each other travel
 * together: `await Promise.all([db.run(a), db.run(b)])` is one round trip.
 */
export class TransactionExecutor implements Executor {
  readonly #session: Session;
  /** Whether BEGIN was sent, and neither COMMIT nor ROLLBACK. */
  #isOpen = false;
  #hasEnded = false;
  /** The first error of a statement. */
  #failure: Error | undefined;
  #committing: Promise<unknown[][]> | undefined;
  #commitsLater = false;
  /** Sends the statement after the part that runs. */
  #endPart: (() => Promise<unknown[]>) | undefined;
  #beforeCommit: (() => readonly BoundStatement[]) | undefined;
  #onCommitted: ((results: readonly unknown[][]) => void) | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  run(statement: BoundStatement): Promise<unknown[]> {
    return this.#hasEnded ? Promise.reject(hasEnded()) : this.#send(statement);
  }

  /**
   * Sends the last statement of the transaction together with COMMIT, which saves a round trip. Its rows are returned after the commit. No statement can run
   * after it.
   */
  readonly atCommit: Executor = {
    run: async (statement) => (this.#commitsLater ? this.#runLast(statement) : ((await this.#commitWith([statement]))[0] ?? [])),
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

  /**
   * Runs a part of the transaction, and a statement after it, which travels with the last statement of the part if that is sent by `atCommit`.
   * @param onSent called when all statements of the part were sent: the next part may begin before this one ends
   * @returns what the part returned, and the rows of the statement
   */
  async part<T>(work: () => Promise<T>, last: () => BoundStatement, onSent?: () => void): Promise<[returned: T, rows: unknown[]]> {
    let sent: Promise<unknown[]> | undefined;
    const send = () => {
      if (sent) return sent;
      this.#endPart = undefined;
      sent = this.run(last());
      // The part reports the error of its own statement.
      sent.catch(() => undefined);
      onSent?.();
      return sent;
    };
    this.#endPart = send;
    const returned = await work();
    return [returned, await send()];
  }

  /** Whether COMMIT or ROLLBACK was sent, or is about to be. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends plain SQL, which is not prepared, and returns pg's result. For libraries that bring their own SQL. */
  async query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    if (this.#hasEnded) throw hasEnded();
    this.#begin();
    return this.#recordFailure(this.#session.query(text, values));
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
    if (this.#isOpen) await this.#end('rollback').catch(() => undefined);
  }

  #runLast(statement: BoundStatement): Promise<unknown[]> {
    const rows = this.run(statement);
    void this.#endPart?.();
    return rows;
  }

  #begin(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#session.command('begin').catch((error: unknown) => this.#noteFailure(error as Error));
  }

  #send(statement: BoundStatement): Promise<unknown[]> {
    this.#begin();
    return this.#recordFailure(this.#session.run(statement));
  }

  async #recordFailure<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      this.#noteFailure(error as Error);
      throw isSkipped(error) ? (this.#failure ?? error) : error;
    }
  }

  #noteFailure(error: Error): void {
    this.#failure ??= error;
  }

  #commitWith(last: readonly BoundStatement[]): Promise<unknown[][]> {
    if (this.#hasEnded) return Promise.reject(hasEnded());
    this.#hasEnded = true;
    this.#committing = this.#commitNow(last);
    // `commit` reports the error.
    this.#committing.catch(() => undefined);
    return this.#committing;
  }

  async #commitNow(last: readonly BoundStatement[]): Promise<unknown[][]> {
    if (this.#failure) throw hasFailed(this.#failure);
    const statements = [...last, ...(this.#beforeCommit?.() ?? [])];
    if (!this.#isOpen && statements.length === 0) return [];
    const rows = statements.map((statement) => this.#send(statement));
    // A value that pg could not convert: the statement was not sent.
    const { broken } = this.#session;
    const [results, { command }] = await Promise.all([Promise.all(rows), this.#end(broken ? 'rollback' : 'commit')]);
    if (command === 'ROLLBACK') throw hasFailed(this.#failure ?? broken);
    this.#onCommitted?.(results.slice(last.length));
    return results;
  }

  #end(command: 'commit' | 'rollback'): Promise<pg.QueryResult> {
    this.#isOpen = false;
    return this.#session.command(command);
  }
}

const hasEnded = (): Error => new Error('The transaction has ended');
const hasFailed = (cause: Error | undefined): Error => new Error('A statement of the transaction has failed', { cause });
