import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { World } from './world.ts';

export interface TableLock {
  /** The number of statements that wait for a lock. */
  waiting(): Promise<number>;
  /** Releases the lock. The end of the test does so too. */
  end(): Promise<void>;
}

/** Locks a table on a connection of its own. */
export async function lockTable(world: World, table: string, mode = 'access exclusive'): Promise<TableLock> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  await client.query(`begin; lock table ${table} in ${mode} mode`);
  let ending: Promise<void> | undefined;
  const end = () => (ending ??= client.end());
  onTestFinished(end);
  const text = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  return { waiting: async () => (await world.sql(text)).length, end };
}
