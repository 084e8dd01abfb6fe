import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { SizeName } from '../data/size.ts';
import type { ServerKind, Environment } from '../servers/environment.ts';
import { runWindow } from './compare.ts';

const requests = 100;
const maxSeconds = 20;

/** The SQL that a kind of request runs. */
export interface StatementCount {
  /** Statements per request, with BEGIN and COMMIT. */
  perRequest: number;
  /** The part of a request's duration that is spent in the statements that read no page: in a list, those that find the total. */
  totalShare: number;
}

/** Counts statements by pg_stat_statements, in a pass of its own, so that counting does not slow the measurements. */
export async function countStatements(environment: Environment, size: SizeName, server: ServerKind, work: string): Promise<StatementCount> {
  const client = new pg.Client({ connectionString: await environment.databaseOf(size) });
  await client.connect();
  try {
    await client.query('create extension if not exists pg_stat_statements');
    // The first requests load the caller and prepare the statements.
    const run = () =>
      runWindow(environment, { server, size, work, connections: 1, warmSeconds: 0, seconds: maxSeconds, maxRequests: requests });
    await run();
    await track(client, 'top');
    await client.query('select pg_stat_statements_reset()');
    const { requests: sent, perSecond } = await run();
    // What runs less often belongs to jobs and health checks.
    const { rows } = await client.query<{ calls: number; ms: number; page: boolean }>(
      `select calls::int, total_exec_time as ms, query ~* '\\mlimit\\M' as page from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database()) and calls >= $1`,
      [Math.floor(sent / 2)],
    );
    return {
      perRequest: sum(rows.map(({ calls }) => calls)) / sent,
      totalShare: (sum(rows.filter(({ page }) => !page).map(({ ms }) => ms)) / sent) * (perSecond / 1000),
    };
  } finally {
    await track(client, 'none');
    await client.end();
  }
}

async function track(client: pg.Client, what: 'top' | 'none'): Promise<void> {
  await client.query(`alter system set pg_stat_statements.track = '${what}'`);
  await client.query('select pg_reload_conf()');
  // Every backend reads the new value when it receives a signal.
  const current = async () =>
    (await client.query<{ value: string }>(`select current_setting('pg_stat_statements.track') as value`)).rows[0]?.value;
  while ((await current()) !== what) await pause(10);
  await pause(50);
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
