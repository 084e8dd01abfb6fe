import type pg from 'pg';
import { type CancellableRequest, sendCancellable } from './cancellation.ts';
import { isOutdatedPlan, unusable } from './errors.ts';
import type { BoundStatement, Executor } from './executor.ts';
import { acquire, type DatabaseObserver, observeAll, type ObservedStatement } from './observer.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import { type Outcome, roundTrip } from './round-trip.ts';

/** Sends reads, each on any connection of the pool. */
export class PoolExecutor implements Executor {
  readonly #pool: pg.Pool;
  readonly #prepared: PreparedStatements;
  /** Observes the statements of `run` and `runAll`. */
  readonly observer: DatabaseObserver | undefined;

  constructor(pool: pg.Pool, prepared: PreparedStatements, observer?: DatabaseObserver) {
    this.#pool = pool;
    this.#prepared = prepared;
    this.observer = observer;
  }

  async run(statement: BoundStatement): Promise<unknown[]> {
    const [rows = []] = await this.runAll([statement]);
    return rows;
  }

  async runAll(statements: readonly BoundStatement[]): Promise<unknown[][]> {
    const { results, error } = await this.send(observeAll(statements, this.observer));
    if (error) throw error;
    return results;
  }

  /**
   * Sends statements in one round trip.
   * @param request cancels the running statement when it is aborted
   * @throws the error of a connection that could not be opened, or the reason of the abort
   */
  async send(statements: readonly ObservedStatement[], request?: CancellableRequest): Promise<Outcome> {
    const client = await acquire(this.#pool, this.observer);
    let broken: Error | undefined;
    const attempt = async () => {
      const outcome = await roundTrip(client, this.#prepared, statements);
      broken = unusable(outcome.error);
      return outcome;
    };
    const send = () => (request ? sendCancellable(client, request, attempt) : attempt());
    try {
      const outcome = await send();
      if (!isOutdatedPlan(outcome.error)) return outcome;
      this.#prepared.invalidate();
      return await send();
    } finally {
      client.release(broken);
    }
  }
}
