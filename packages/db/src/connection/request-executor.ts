import pg from 'pg';
import type { CancellableRequest } from './cancellation.ts';
import type { BoundStatement } from './executor.ts';
import { observe } from './observer.ts';
import type { PoolExecutor } from './pool-executor.ts';
import { QueueingExecutor, type QueuedStatement } from './queueing-executor.ts';

/**
 * Sends the reads of one request. Those that are started without waiting for each other share a round trip, such as the calls of a batch. When the request is
 * aborted, the running statement is cancelled.
 */
export class RequestExecutor extends QueueingExecutor {
  readonly #pool: PoolExecutor;
  readonly #request: CancellableRequest;

  constructor(pool: PoolExecutor, request: CancellableRequest) {
    super();
    this.#pool = pool;
    this.#request = request;
  }

  /** Observes the statement here: the statements of a round trip can belong to different calls of a batch. */
  override run(statement: BoundStatement): Promise<unknown[]> {
    return super.run(observe(statement, this.#pool.observer));
  }

  protected async sendQueued(statements: QueuedStatement[]): Promise<void> {
    let rest = statements;
    try {
      while (rest.length > 0) {
        const { results, error } = await this.#pool.send(
          rest.map(({ statement }) => statement),
          this.#request,
        );
        this.#request.throwIfAborted();
        for (const [index, rows] of results.entries()) rest[index]?.resolve(rows);
        rest = rest.slice(results.length);
        // PostgreSQL has skipped the statements after the failed one. They are not to blame, so they are sent again.
        if (!(error instanceof pg.DatabaseError)) {
          if (error) throw error;
        } else rest.shift()?.reject(error);
      }
    } catch (error) {
      for (const { reject } of rest) reject(error);
    }
  }
}
