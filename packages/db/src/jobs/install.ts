import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import manifest from 'pg-boss/package.json' with { type: 'json' };
import { jobSchema, queues } from './queues.ts';

/**
 * Creates the job queue's schema, or brings it to the version of the installed pg-boss, and writes each queue's retry policy.
 * Safe to repeat and to run several times at once: pg-boss locks what it changes. The schema of a newer release stays as it is.
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
    for (const [name, { policy, ...options }] of Object.entries(queues)) {
      await boss.createQueue(name, { ...options, ...(policy && { policy }) });
      await boss.updateQueue(name, options);
    }
    // An upgrade builds some indexes after `start`, without a lock on the table. A service does not build them.
    while ((await boss.getBamStatus()).some(({ status }) => status !== 'completed')) {
      if (failures[0]) throw failures[0];
      await pause(100);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
