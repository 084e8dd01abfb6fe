import { closeConnections } from './http.ts';
import { readOptions } from './options.ts';
import { report } from './report.ts';
import { runWorlds } from './run.ts';
import { startEnvironment } from './world/environment.ts';

/** `npm run test:isolation -- --minutes 3 --seed N`: runs random worlds until the time is over or one of them contradicts the oracle. */
const options = readOptions(process.argv.slice(2));
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

console.log(`seed ${options.seed}`);
const environment = await startEnvironment(options.databaseServer);
try {
  process.exitCode = report(await runWorlds(environment, options, interruption.signal)) ? 0 : 1;
} finally {
  closeConnections();
  await environment.stop();
}
