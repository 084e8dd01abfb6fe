import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { sendCancellable } from './cancellation.ts';

/** Texts beyond this many (lists of many lengths make new ones) run unnamed: a prepared statement takes memory in every connection. */
const mostStatements = 500;

/**
 * The pool as Kysely's dialect takes it: each distinct statement with parameters gets a name, so that the server parses it once per connection.
 * Statements without parameters stay unnamed: among them are begin and commit, and texts of several statements, which cannot be prepared.
 */
export function preparing(pool: pg.Pool): PostgresPool {
  const names = new StatementNames();
  const clients = new WeakMap<pg.PoolClient, PreparingClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      let preparingClient = clients.get(client);
      if (!preparingClient) {
        preparingClient = new PreparingClient(client, names);
        clients.set(client, preparingClient);
      }
      return preparingClient;
    },
  };
}

class StatementNames {
  readonly #names = new Map<string, string>();
  #count = 0;

  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || this.#names.size >= mostStatements) return known;
    const name = `s${++this.#count}`;
    this.#names.set(text, name);
    return name;
  }

  /** Names are never used again, so every connection prepares anew. */
  forget(): void {
    this.#names.clear();
  }
}

class PreparingClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #names: StatementNames;
  #lost: Error | undefined;

  constructor(client: pg.PoolClient, names: StatementNames) {
    this.#client = client;
    this.#names = names;
  }

  query<R>(text: string, values: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(text: string | PostgresCursor<R>, values: ReadonlyArray<unknown> = []): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof text !== 'string') throw new TypeError('Cursors are not supported');
    return sendCancellable(this.#client, () => this.#run<R>(text, values));
  }

  release(discard?: boolean): void {
    this.#client.release(this.#lost ?? discard);
  }

  async #run<R>(text: string, values: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>> {
    // A statement that got no answer still occupies the connection: a rollback would wait behind it as long again.
    if (this.#lost) throw this.#lost;
    try {
      return await this.#send<R>(text, values);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) this.#lost = error instanceof Error ? error : new Error(String(error));
      if (!isOutdatedPlan(error)) throw error;
      this.#names.forget();
      if (this.#client.getTransactionStatus() !== 'I') throw error;
      return await this.#send<R>(text, values);
    }
  }

  async #send<R>(text: string, values: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>> {
    const name = values.length > 0 ? this.#names.of(text) : undefined;
    const result = await this.#client.query({ text, values: values as unknown[], ...(name && { name }) });
    return result as PostgresQueryResult<R>;
  }
}

/** A migration changed the columns of a prepared `select *` or `returning *`. */
function isOutdatedPlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}
