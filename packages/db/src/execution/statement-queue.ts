import type { BoundStatement } from './executor.ts';

/** A statement whose rows somebody waits for. */
export interface QueuedStatement {
  readonly statement: BoundStatement;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** Collects the statements that are started without waiting for each other, so that they can travel together. */
export class StatementQueue {
  readonly #send: (statements: QueuedStatement[]) => void;
  #queued: QueuedStatement[] = [];

  /** @param send sends statements, and resolves or rejects each */
  constructor(send: (statements: QueuedStatement[]) => void) {
    this.#send = send;
  }

  /** Returns the rows of the statement. Sends it in the next microtask, with those added until then. */
  add(statement: BoundStatement): Promise<unknown[]> {
    if (this.#queued.length === 0) queueMicrotask(() => this.#flush());
    return new Promise((resolve, reject) => void this.#queued.push({ statement, resolve, reject }));
  }

  #flush(): void {
    const statements = this.#queued;
    this.#queued = [];
    this.#send(statements);
  }
}
