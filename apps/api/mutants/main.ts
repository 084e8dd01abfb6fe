import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startFastPostgres } from '../../../test/fast-postgres.ts';
import { npmRun, recordResult, splitRecordFlag } from '../../../test/test-results.ts';
import { type Bench, isolation, testFile, type Verdict } from './catchers.ts';
import { copyProject, mutated } from './copy.ts';
import { mutants } from './list/index.ts';
import type { Mutant } from './mutant.ts';

/**
 * `npm run test:mutants`: breaks a copy of the project in one way after the other. Passed is what a test noticed.
 * `-- --sample 5` takes so many, other ones each day; `-- --only text` (more than once, too) those with the text in their file or their words.
 */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const { values } = parseArgs({
  args,
  options: { sample: { type: 'string' }, only: { type: 'string', multiple: true, default: [''] } },
});
const chosen = choose(values.sample === undefined ? undefined : Number(values.sample), values.only);
const catchers = new Set(chosen.map(({ test }) => test));

const copy = await copyProject();
const postgres = await startFastPostgres('mutants-data');
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
const bench: Bench = { copy, databaseServer: postgres.adminUrl, interruption: interruption.signal };
const examine = (test: string | undefined): Promise<Verdict> => (test ? testFile(bench, test) : isolation(bench));
let [passed, failed] = [0, 0];
try {
  // What fails on the whole project notices nothing.
  for (const test of catchers) await tell(`nothing is broken: ${test ?? 'the isolation test'}`, async () => opposite(await examine(test)));
  for (const mutant of chosen) await tell(`${mutant.why} (${mutant.file})`, () => mutated(copy, mutant, () => examine(mutant.test)));
} finally {
  await postgres.stop();
  await rm(copy, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
if (record) {
  const figures = `${chosen.length} mutants, ${catchers.size} tests without a mutant`;
  await recordResult({ test: 'mutants', command: npmRun('test:mutants', args), figures, passed, failed });
}

async function tell(name: string, examination: () => Promise<Verdict>): Promise<void> {
  if (interruption.signal.aborted) return;
  const began = performance.now();
  const { noticed } = await examination().catch((error: Error) => {
    console.error(error.message);
    return { noticed: null };
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (noticed === null) failed += 1;
  else passed += 1;
  console.log(
    `${noticed === null ? 'NOT NOTICED' : 'noticed'} in ${seconds} s: ${name}${noticed === null ? '' : `\n    ${noticed.slice(0, 150)}`}`,
  );
}

function opposite({ noticed }: Verdict): Verdict {
  if (noticed !== null) console.error(noticed);
  return { noticed: noticed === null ? 'all is in order' : null };
}

/** @param size so many, so that each day's follow those of the day before */
function choose(size: number | undefined, texts: readonly string[]): readonly Mutant[] {
  const all = mutants.filter(({ file, why }) => texts.some((text) => file.includes(text) || why.includes(text)));
  if (size === undefined) return all;
  const day = Math.floor(Date.now() / (24 * 60 * 60 * 1000));
  return Array.from({ length: Math.min(size, all.length) }, (_, place) => all[(day * size + place) % all.length] as Mutant);
}
