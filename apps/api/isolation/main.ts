import { readOptions } from './options.ts';
import { play } from './play.ts';
import { report } from './report.ts';
import { closeConnections } from './wire.ts';
import { setStage } from './world/stage.ts';

/** `npm run test:isolation -- --minutes 3 --seed N`: plays worlds on the service until the time is over, or one of them contradicts the oracle. */
const options = readOptions(process.argv.slice(2));
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

console.log(`seed ${options.seed}`);
const stage = await setStage(options.databaseServer);
try {
  process.exitCode = report(await play(stage, options, interruption.signal)) ? 0 : 1;
} finally {
  closeConnections();
  await stage.stop();
}
