import { sizes } from './data/size.ts';
import { largeSizeOf, measure } from './measure/run.ts';
import { readOptions } from './options.ts';
import { consoleReport } from './report/console.ts';
import { recordResults } from './report/record.ts';
import { describeRun, type Results } from './results.ts';
import { startEnvironment } from './servers/environment.ts';
import { evaluate } from './targets.ts';

/** `npm run bench`: measures the service against the floor and against its targets. Exits with 0 only if all targets are met. */
const options = readOptions(process.argv.slice(2));
const startedAt = performance.now();
const progress = (text: string) => console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`);

const disposables = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void disposables.disposeAsync().then(() => process.exit(1)));

const results = await run();
const evaluated = evaluate(results);
const met = evaluated.filter((target) => target.met).length;
console.log(consoleReport(results, evaluated));
if (options.record) await recordResults(results, evaluated);
console.log(`\n${met} of ${evaluated.length} targets met`);
process.exitCode = met === evaluated.length ? 0 : 1;

async function run(): Promise<Results> {
  await using started = disposables;
  const environment = await startEnvironment(options, started, progress);
  const figures = await measure(environment, options, progress);
  return {
    ...describeRun(options, environment.postgres.version),
    largeOrganizations: sizes[largeSizeOf(options)].organizations,
    ...figures,
  };
}
