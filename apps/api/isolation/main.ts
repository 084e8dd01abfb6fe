import { npmRun, recordResult, splitRecordFlag } from '../../../test/test-results.ts';
import { closeConnections } from './http.ts';
import { readOptions } from './options.ts';
import { report } from './report.ts';
import { runWorlds } from './run.ts';
import { startEnvironment } from './world/environment.ts';

/**
 * `npm run proof -- isolation --minutes 3 --seed N`: runs random worlds until the time is over or one of them contradicts the oracle. With `--record` it
 * writes its result into docs/run/figures.md.
 */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const options = readOptions(args);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

console.log(`seed ${options.seed}`);
const environment = await startEnvironment(options.databaseServer);
try {
  const result = report(await runWorlds(environment, options, interruption.signal));
  process.exitCode = result.failed > 0 ? 1 : 0;
  if (record) await recordResult({ test: 'isolation', command: npmRun('proof', ['isolation', ...args]), ...result });
} finally {
  closeConnections();
  await environment.stop();
}
