import { delimiter } from 'node:path';
import type { Outcome } from './ci/steps.ts';
import { postgres15 } from './postgres15.ts';
import { closeWith, runVitest } from './run-vitest.ts';

/**
 * `npm run test:recovery`: backup, restore and point-in-time recovery, on PostgreSQL 15 and with its client programs. Arguments are parts of the paths of test
 * files. The last line says how many tests passed and failed.
 */
async function main(filters: string[]): Promise<Outcome> {
  const { POSTGRES_BIN } = postgres15();
  Object.assign(process.env, { POSTGRES_BIN, PATH: POSTGRES_BIN + delimiter + process.env['PATH'] });
  return runVitest(filters, { config: 'vitest.recovery.config.ts' });
}

await closeWith(() => main(process.argv.slice(2)));
