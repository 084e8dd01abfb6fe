import { readOptions } from './options.ts';
import { play } from './play.ts';
import { report } from './report.ts';
import { closeConnections } from './wire.ts';
import { setStage } from './world/stage.ts';

/** `npm run test:isolation -- --minutes 3 --seed N`: plays worlds on the service until the time is over, or one of them contradicts the oracle. */
const options = readOptions(process.argv.slice(2));
console.log(`seed ${options.seed}`);
const stage = await setStage(options.databaseServer);
const game = await play(stage, options);
process.exitCode = report(game) ? 0 : 1;
closeConnections();
await stage.stop();
