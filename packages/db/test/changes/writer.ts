import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { Database } from '../../src/index.ts';

/** Changes entries of the journal, which its triggers refuse. */
export const changeJournal = ({ pool }: Database, text: string) =>
  pool.query(`set session_replication_role = replica; ${text}; reset session_replication_role`);

/** A connection whose transactions a test controls step by step. It records its writes as the service does. */
export class Writer {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** @param settings of the session */
  static async open(connectionString: string, settings: Record<string, string> = {}): Promise<Writer> {
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    const client = new pg.Client({ connectionString, options: options.join(' ') });
    await client.connect();
    onTestFinished(() => client.end());
    return new Writer(client);
  }

  async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#client.query<Row>(text, values)).rows;
  }

  /** Begins a transaction. It gets its id at once, as if it had written another row before. */
  async beginWithId(): Promise<void> {
    await this.sql('begin');
    await this.sql('select pg_current_xact_id()');
  }

  /** Raises the counter in the customer's alias. Waits for the row. */
  async count(customerId: string): Promise<void> {
    await this.sql("update customers set alias = (coalesce(alias, '0')::int + 1)::text where id = $1", [customerId]);
  }

  async record(customerId: string): Promise<void> {
    await this.sql("select record_write('customers.update', 'SYSTEM', null, null, null, '{customer.updated}', $1)", [customerId]);
  }

  async commit(): Promise<void> {
    await this.sql('commit');
  }

  async rollback(): Promise<void> {
    await this.sql('rollback');
  }

  /** Raises the counter in a transaction of its own. */
  async write(customerId: string): Promise<void> {
    await this.sql('begin');
    await this.count(customerId);
    await this.record(customerId);
    await this.commit();
  }

  /** Waits until the session waits for a lock. */
  async isWaiting(observer: Writer): Promise<void> {
    const pid = (this.#client as unknown as { processID: number }).processID;
    for (;;) {
      const waiting = await observer.sql("select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'", [pid]);
      if (waiting.length > 0) return;
    }
  }
}
