import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { sendCancellable } from './cancellation.ts';
import { toObjects } from './row-objects.ts';
import { nameOf } from './statements/compile.ts';

type Values = ReadonlyArray<unknown>;

/**
 * Adapts the pool to Kysely's dialect. Compiled statements are prepared under their names, so that the server parses each once per connection.
 * Other statements are not prepared: one for every text would fill the memory of every connection.
 * @param prepare false for a connection pooler that does not carry prepared statements
 */
export function preparing(pool: pg.Pool, onUnprepared: (text: string) => void = () => undefined, prepare = true): PostgresPool {
  const generation = { current: 0 };
  const clients = new WeakMap<pg.PoolClient, PreparingClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      let preparingClient = clients.get(client);
      if (!preparingClient) {
        preparingClient = new PreparingClient(client, generation, onUnprepared, prepare);
        clients.set(client, preparingClient);
      }
      return preparingClient;
    },
  };
}

class PreparingClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  /** Number of migrations that changed a prepared result. Part of the names, since a connection cannot prepare a name twice. */
  readonly #generation: { current: number };
  readonly #onUnprepared: (text: string) => void;
  readonly #prepare: boolean;
  #lost: Error | undefined;

  constructor(client: pg.PoolClient, generation: { current: number }, onUnprepared: (text: string) => void, prepare: boolean) {
    this.#client = client;
    this.#generation = generation;
    this.#onUnprepared = onUnprepared;
    this.#prepare = prepare;
  }

  query<R>(text: string, values: Values): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(text: string | PostgresCursor<R>, values: Values = []): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof text !== 'string') throw new TypeError('Cursors are not supported');
    return sendCancellable(this.#client, () => this.#run<R>(text, values));
  }

  release(discard?: boolean): void {
    this.#client.release(this.#lost ?? discard);
  }

  async #run<R>(text: string, values: Values): Promise<PostgresQueryResult<R>> {
    // After a timeout here, the backend may still run the statement: a rollback would wait for it.
    if (this.#lost) throw this.#lost;
    try {
      return await this.#send<R>(text, values);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) this.#lost = error instanceof Error ? error : new Error(String(error));
      if (!isOutdatedPlan(error)) throw error;
      this.#generation.current += 1;
      if (this.#client.getTransactionStatus() !== 'I') throw error;
      return await this.#send<R>(text, values);
    }
  }

  async #send<R>(text: string, values: Values): Promise<PostgresQueryResult<R>> {
    const name = nameOf(text);
    if (name === undefined) {
      if (values.length > 0) this.#onUnprepared(text);
      return (await this.#client.query({ text, values: values as unknown[] })) as unknown as PostgresQueryResult<R>;
    }
    const { current } = this.#generation;
    const named = this.#prepare && { name: current === 0 ? name : `${name}_${current}` };
    const config = { ...named, text, values: values as unknown[], rowMode: 'array' as const };
    return toObjects<R>(await this.#client.query<unknown[]>(config));
  }
}

/** Whether a migration changed the columns of a prepared `select *` or `returning *`. */
function isOutdatedPlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}
