import type { Tally } from './examiner.ts';
import type { Game } from './play.ts';
import { Contradiction } from './prediction.ts';
import { drivenRows } from './rows/index.ts';

/** Prints what came of it, with the plain closing line of every test here: rows. Says whether all is well. */
export function report({ tally, worlds, steps, seconds, seeds, failure }: Game): boolean {
  const names = drivenRows().map(({ name }) => name);
  const answers = [...tally.values()].flatMap((outcomes) => [...outcomes.values()]).reduce((sum, count) => sum + count, 0);
  const pace = (count: number) => (count / seconds).toFixed(count / seconds < 100 ? 1 : 0);
  console.log(
    `\n${worlds} worlds (seeds ${seeds.first} to ${seeds.last}), ${steps} steps (${pace(steps)}/s), ${answers} answers (${pace(answers)}/s)`,
  );
  console.log(`answered with ${byOutcome(tally)}`);
  const failed = new Set<string>();
  if (failure) {
    console.log(`\n${failure.report}\n\n${failure.error instanceof Error ? failure.error.stack : String(failure.error)}\n`);
    failed.add(failure.error instanceof Contradiction ? failure.error.row : 'the store');
  } else {
    for (const name of names.filter((each) => !tally.get(each)?.has('success'))) {
      console.log(`${name} was never answered with success`);
      failed.add(name);
    }
  }
  const passed = names.filter((name) => !failed.has(name)).length;
  console.log(`${passed} passed, ${failed.size} failed`);
  return failed.size === 0;
}

/** How often which answer, the most frequent first. */
function byOutcome(tally: Tally): string {
  const counts = new Map<string, number>();
  for (const outcomes of tally.values()) for (const [outcome, count] of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + count);
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(', ');
}
