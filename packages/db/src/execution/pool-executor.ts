import type pg from 'pg';
import { type CancellableRequest, sendCancellable } from '../cancellation.ts';
import type { BoundStatement, Executor } from './executor.ts';
import { isOutdatedPlan, unusable } from './errors.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import { roundTrip } from './round-trip.ts';

/** Sends each statement on any connection of the pool. */
export class PoolExecutor implements Executor {
  readonly #pool: pg.Pool;
  readonly #prepared: PreparedStatements;
  readonly #request: CancellableRequest | undefined;

  /** @param request cancels the running statement when it is aborted; undefined: the statements are not cancelled */
  constructor(pool: pg.Pool, prepared: PreparedStatements, request?: CancellableRequest) {
    this.#pool = pool;
    this.#prepared = prepared;
    this.#request = request;
  }

  async run(statement: BoundStatement): Promise<unknown[]> {
    const client = await this.#pool.connect();
    let error: Error | null = null;
    try {
      let outcome = await this.#send(client, statement);
      if (isOutdatedPlan(outcome.error)) {
        this.#prepared.invalidate();
        outcome = await this.#send(client, statement);
      }
      ({ error } = outcome);
      if (error) throw error;
      return outcome.results[0] ?? [];
    } finally {
      client.release(unusable(error));
    }
  }

  #send(client: pg.ClientBase, statement: BoundStatement) {
    const send = () => roundTrip(client, this.#prepared, [statement]);
    return this.#request ? sendCancellable(client, this.#request, send) : send();
  }
}
