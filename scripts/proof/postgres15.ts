import { postgres15 } from '../postgres15.ts';
import { closeWith, readFilters, runVitest } from './run-vitest.ts';

/** `npm run proof -- postgres15`: `npm test` on PostgreSQL 15, the oldest supported version. `--only TEXT` selects test files. */
await closeWith(() => {
  Object.assign(process.env, postgres15());
  return runVitest(readFilters(), { config: 'vitest.config.ts' });
});
