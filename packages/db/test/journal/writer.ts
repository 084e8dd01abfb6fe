import type { EventType } from '@profile-service/contracts';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { type Database, recordWrite } from '../../src/index.ts';

/** Changes entries of the journal, which its triggers refuse. */
export const changeJournal = ({ pool }: Database, text: string) =>
  pool.query(`set session_replication_role = replica; ${text}; reset session_replication_role`);

/** The statement that records a write of the service itself. */
export const recordOf = (event: EventType, recordId: string | null, requestId: string | null = null) =>
  recordWrite({ operation: 'test', actor: { kind: 'SYSTEM', id: null }, requestId, tenantId: null, events: [event], recordId });

export type Writer = Awaited<ReturnType<typeof openWriter>>;

/** Opens a connection whose transactions a test controls step by step. @param settings of the session */
export async function openWriter(connectionString: string, settings: Record<string, string> = {}) {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const client = new pg.Client({ connectionString, options: options.join(' ') });
  await client.connect();
  onTestFinished(() => client.end());

  const writer = {
    sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => (await client.query<Row>(text, values)).rows,

    /** Begins a transaction. It gets its id at once, as if it had written another row before. */
    async beginWithId() {
      await writer.sql('begin');
      await writer.sql('select pg_current_xact_id()');
    },

    /** Raises the counter in the customer's alias. Waits for the row. */
    count: (customerId: string) =>
      writer.sql("update customers set alias = (coalesce(alias, '0')::int + 1)::text where id = $1", [customerId]),

    async record(customerId: string) {
      const { text, values } = recordOf('customer.updated', customerId);
      await writer.sql(text, [...values]);
    },

    /** Begins a transaction that raises the counter and records it. */
    async begin(customerId: string) {
      await writer.sql('begin');
      await writer.count(customerId);
      await writer.record(customerId);
    },

    /** Raises the counter in a transaction of its own. */
    async write(customerId: string) {
      await writer.begin(customerId);
      await writer.sql('commit');
    },
  };
  return writer;
}

/** Waits until a session of the database waits for a lock. */
export const lockWait = (observer: Writer) =>
  expect
    .poll(() => observer.sql("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"), {
      interval: 5,
    })
    .toHaveLength(1);
