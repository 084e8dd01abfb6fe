import { postgres15 } from '../postgres15.ts';
import { run } from './command.ts';
import { proofWith } from './proof.ts';
import type { Outcome } from './steps.ts';

/** Runs the tests of the migrations and the isolation test for one minute on PostgreSQL 15. */
export async function migrateAndIsolateOnPostgres15(): Promise<Outcome> {
  const env = postgres15();
  await run('vitest', ['run', '--project', 'db', 'migrat', 'schema'], { env });
  return proofWith(env, 'isolation', '--minutes', '1');
}
