import { delimiter } from 'node:path';
import { postgres15 } from '../postgres15.ts';
import { closeWith, readFilters, runVitest } from './run-vitest.ts';

/**
 * `npm run proof -- recovery`: backup, restore and point-in-time recovery, on PostgreSQL 15 and with its client programs. `--only TEXT` selects test files. The
 * last line says how many tests passed and failed.
 */
await closeWith(() => {
  const { POSTGRES_BIN } = postgres15();
  Object.assign(process.env, { POSTGRES_BIN, PATH: POSTGRES_BIN + delimiter + process.env['PATH'] });
  // The snapshots of all backups on the server are in one folder, in which a test looks for its own.
  return runVitest(readFilters(), { project: ['recovery'], maxWorkers: 1 });
});
