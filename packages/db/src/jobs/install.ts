import type pg from 'pg';
import { getConstructionPlans, getMigrationPlans, PgBoss } from 'pg-boss';
import manifest from 'pg-boss/package.json' with { type: 'json' };
import { jobSchema, queues } from './queues.ts';

/** Any number that nothing else locks in this database. */
const lockKey = 7_316_204_119;

/**
 * Creates the job queue's schema, or brings it to the version of the installed pg-boss, and writes each queue's retry policy.
 * Safe to repeat and to run several times at once: one call waits for the other.
 */
export async function installJobQueue(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await install(client);
    await client.query('select pg_advisory_unlock($1)', [lockKey]);
    client.release();
  } catch (error) {
    // Closing the connection ends its lock.
    client.release(true);
    throw error;
  }
}

async function install(client: pg.PoolClient): Promise<void> {
  const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
  const boss = new PgBoss({ db, schema: jobSchema, migrate: false, supervise: false, schedule: false });
  const failures: Error[] = [];
  boss.on('error', (error) => failures.push(error));

  // The plans build every index at once. `start` with `migrate: true` would leave some of them to a running service.
  if (!(await boss.isInstalled())) await client.query(getConstructionPlans(jobSchema));
  const version = (await boss.schemaVersion()) ?? 0;
  if (version < manifest.pgboss.schema) await client.query(getMigrationPlans(jobSchema, version));

  // A newer version stays: an older release's migration runs again during a roll-back.
  if (version > manifest.pgboss.schema) return;
  await boss.start();
  for (const [name, { policy, ...options }] of Object.entries(queues)) {
    await boss.createQueue(name, { ...options, ...(policy && { policy }) });
    await boss.updateQueue(name, options);
  }
  await boss.stop({ graceful: false });
  if (failures[0]) throw failures[0];
}
