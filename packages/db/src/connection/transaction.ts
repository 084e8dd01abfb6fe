import type pg from 'pg';
import { isSkipped } from './errors.ts';
import type { BoundStatement, Executor } from './executor.ts';
import type { Session } from './session.ts';

/** A part of a transaction. */
interface Part {
  /** Sends the statement after the part. */
  end: () => Promise<unknown[]>;
  /** The first error of a statement. */
  failure: Error | undefined;
  /** Whether PostgreSQL skips the statements, because the part before has failed. */
  isSkipped: boolean;
  /** Resolves at the end of the part, with whether it was undone. */
  undone: Promise<boolean>;
}

/**
 * Sends the statements of one transaction. BEGIN travels with the first statement. Statements that are started without waiting for each other travel
 * together: `await Promise.all([db.run(a), db.run(b)])` is one round trip.
 */
export class TransactionExecutor implements Executor {
  readonly #session: Session;
  /** Whether BEGIN was sent, and neither COMMIT nor ROLLBACK. */
  #isOpen = false;
  #hasEnded = false;
  /** The first error of a statement outside of the parts. */
  #failure: Error | undefined;
  #committing: Promise<unknown[][]> | undefined;
  #commitsLater = false;
  /** The part that runs. One that was sent may still run before it. */
  #part: Part | undefined;
  /** Whether the savepoint of the last part exists. The next part releases it. */
  #hasSavepoint = false;
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
   * Runs a part of the transaction, and a statement after it, which travels with the last statement of the part if that is sent by `atCommit`. If one of them
   * fails, undoes what the part has changed, and throws its error: the transaction goes on.
   * @param work is run again if the part before is undone after this one has begun
   * @param onSent called when PostgreSQL has all statements of the part, and the part before has ended: the next part may begin before this one ends
   * @returns what the part returned, and the rows of the statement
   * @throws also after a broken connection; then the transaction has failed
   */
  async savepoint<T>(
    work: () => Promise<T>,
    last: () => BoundStatement,
    onSent: () => void = () => undefined,
  ): Promise<[returned: T, rows: unknown[]]> {
    const before = this.#part;
    const { promise: undone, resolve: end } = Promise.withResolvers<boolean>();
    let sent: Promise<unknown[]> | undefined;
    const send = () => {
      if (sent) return sent;
      sent = this.run(last());
      // The part reports the error of its own statement.
      sent.catch(() => undefined);
      void Promise.resolve(before?.undone).then((again) => again || onSent());
      return sent;
    };
    const part: Part = { end: send, failure: undefined, isSkipped: false, undone };
    this.#part = part;
    // One command costs less than two.
    this.#command(this.#hasSavepoint ? 'release savepoint part; savepoint part' : 'savepoint part');
    this.#hasSavepoint = true;
    try {
      const returned = await work();
      const rows = await send();
      if (part.failure) throw part.failure;
      end(false);
      return [returned, rows];
    } catch (error) {
      const isRepeated = await before?.undone;
      if (this.#session.broken) throw error;
      if (isRepeated) {
        this.#part = undefined;
        return await this.savepoint(work, last, onSent);
      }
      // The statement after the part may fail later than the part.
      await sent?.catch(() => undefined);
      if (!sent || part.failure) await this.#undo(part, end);
      throw error;
    } finally {
      end(false);
      if (this.#part === part) this.#part = undefined;
    }
  }

  /** Undoes what a part has changed. PostgreSQL has skipped the statements of the next one. */
  #undo(part: Part, end: (undone: boolean) => void): Promise<unknown> {
    if (this.#part === part) this.#part = undefined;
    else if (this.#part) this.#part.isSkipped = true;
    const undoing = this.#session.command('rollback to savepoint part; release savepoint part');
    this.#hasSavepoint = false;
    end(true);
    return undoing;
  }

  /** Sends a command without waiting for it. If it fails, so does the part or the transaction. */
  #command(text: string): void {
    if (this.#part?.isSkipped) return;
    this.#begin();
    const part = this.#part;
    this.#session.command(text).catch((error: unknown) => this.#noteFailure(error as Error, part));
  }

  /** Whether COMMIT or ROLLBACK was sent, or is about to be. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends plain SQL, which is not prepared, and returns pg's result. For libraries that bring their own SQL. */
  async query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    if (this.#hasEnded) throw hasEnded();
    if (this.#part?.isSkipped) throw partBeforeFailed();
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
    void this.#part?.end();
    return rows;
  }

  #begin(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#command('begin');
  }

  #send(statement: BoundStatement): Promise<unknown[]> {
    if (this.#part?.isSkipped) return Promise.reject(partBeforeFailed());
    this.#begin();
    return this.#recordFailure(this.#session.run(statement));
  }

  async #recordFailure<T>(result: Promise<T>): Promise<T> {
    const part = this.#part;
    try {
      return await result;
    } catch (error) {
      this.#noteFailure(error as Error, part);
      throw isSkipped(error) ? ((part ? part.failure : this.#failure) ?? error) : error;
    }
  }

  #noteFailure(error: Error, part: Part | undefined): void {
    if (part) part.failure ??= error;
    else this.#failure ??= error;
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
const partBeforeFailed = (): Error => new Error('The part before has failed');
const hasFailed = (cause: Error | undefined): Error => new Error('A statement of the transaction has failed', { cause });
