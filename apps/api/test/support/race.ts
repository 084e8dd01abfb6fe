import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { World } from './world.ts';

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
    while (!answered && !(await isAwaited(world))) await pause(5);
    await meanwhile(rival);
    await rival.query('commit');
    return await answer;
  } finally {
    await rival.end();
  }
}

async function isAwaited(world: World): Promise<boolean> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  return (await world.sql(waiting)).length > 0;
}
