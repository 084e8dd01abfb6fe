import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import manifest from 'pg-boss/package.json' with { type: 'json' };

/** The schema of the job queue. The migration command creates it; pg-boss owns its tables. */
export const jobSchema = 'pgboss';

/**
 * Creates the schema of the job queue or upgrades it to the installed pg-boss. The service creates the queues.
 * Idempotent, and safe to run concurrently: pg-boss takes a lock. Does nothing if the schema is newer than the installed pg-boss.
 */
export async function installJobQueue(pool: pg.Pool): Promise<void> {
  const db = { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) };
  const boss = new PgBoss({ db, schema: jobSchema, supervise: false, schedule: false, bamIntervalSeconds: 10 });
  const failures: Error[] = [];
  boss.on('error', (error) => failures.push(error));
  const installed = await boss.isInstalled();
  if (installed && ((await boss.schemaVersion()) ?? 0) > manifest.pgboss.schema) return;

  await boss.start();
  try {
    // After an upgrade, pg-boss builds some indexes in the background without locking the table. Wait for them: the service does not build them.
    while ((await boss.getBamStatus()).some(({ status }) => status !== 'completed')) {
      if (failures[0]) throw failures[0];
      await pause(100);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
