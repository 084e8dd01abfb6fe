import type { BoundStatement, Executor } from './executor.ts';

/** A statement whose rows somebody waits for. */
export interface QueuedStatement {
  readonly statement: BoundStatement;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** Collects the statements that are started without waiting for each other, so that they can travel together. */
export abstract class QueueingExecutor implements Executor {
  #queued: QueuedStatement[] = [];

  /** Returns the rows of the statement. Sends it in the next microtask, with those added until then. */
  run(statement: BoundStatement): Promise<unknown[]> {
    if (this.#queued.length === 0) queueMicrotask(() => this.#flush());
    return new Promise((resolve, reject) => void this.#queued.push({ statement, resolve, reject }));
  }

  runAll(statements: readonly BoundStatement[]): Promise<unknown[][]> {
    return Promise.all(statements.map((statement) => this.run(statement)));
  }

  /** Sends statements, and resolves or rejects each. Never rejects. */
  protected abstract sendQueued(statements: QueuedStatement[]): Promise<void>;

  #flush(): void {
    const statements = this.#queued;
    this.#queued = [];
    void this.sendQueued(statements);
  }
}
