import { exitCode } from './ci/command.ts';
import { postgres15 } from './postgres15.ts';

/** `npm run test:postgres15`: `npm test` on PostgreSQL 15, the oldest supported version. Arguments are those of `vitest run`. */
try {
  process.exitCode = await exitCode('vitest', ['run', ...process.argv.slice(2)], { env: postgres15() });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
