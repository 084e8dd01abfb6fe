import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { World } from './world.ts';

/** The number of statements that wait for a lock. */
export const countWaiting = async ({ sql }: World): Promise<number> =>
  (await sql("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length;

/**
 * Runs a statement in a transaction, then the request, which waits for a lock of the statement. Commits after `meanwhile`.
 * Two concurrent changes then always have the same order. Returns the response of the request.
 */
export async function raceAgainst<ApiResponse>(
  world: World,
  [text, values]: [text: string, values: unknown[]],
  request: () => Promise<ApiResponse>,
  meanwhile: (rival: pg.Client) => Promise<unknown> = async () => undefined,
): Promise<ApiResponse> {
  const rival = new pg.Client({ connectionString: world.databaseUrl });
  await rival.connect();
  try {
    // In a deadlock, PostgreSQL must abort the service's transaction, never this one.
    await rival.query("set deadlock_timeout = '1h'");
    await rival.query('begin');
    await rival.query(text, values);
    let answered = false;
    const answer = request().finally(() => (answered = true));
    while (!answered && (await countWaiting(world)) === 0) await pause(5);
    await meanwhile(rival);
    await rival.query('commit');
    return await answer;
  } finally {
    await rival.end();
  }
}

/** Locks a table on a connection of its own. `waiting` counts the statements that wait for a lock; `end` releases it, as the end of the test does. */
export async function lockTable(world: World, table: string, mode = 'access exclusive') {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  await client.query(`begin; lock table ${table} in ${mode} mode`);
  let ending: Promise<void> | undefined;
  const end = () => (ending ??= client.end());
  onTestFinished(end);
  return { waiting: () => countWaiting(world), end };
}
