import type { Game } from './play.ts';
import { Contradiction } from './prediction.ts';
import { drivenEndpoints } from './endpoints/index.ts';

/** After so many every endpoint has been answered with success by far. */
const stepsForAllEndpoints = 4_000;

/** Prints what came of it, and the closing line: the endpoints that held, and those that did not. Says whether all is well. */
export function report({ tally, seconds, seeds, failure }: Game): boolean {
  const { worlds, steps } = tally;
  const answers = tally.byAnswer();
  const total = answers.reduce((sum, [, count]) => sum + count, 0);
  const pace = (count: number): string => `${count} (${(count / seconds).toFixed(0)}/s)`;
  console.log(`\n${worlds} worlds (seeds ${seeds.first} to ${seeds.last}), steps: ${pace(steps)}, answers: ${pace(total)}`);
  console.log(answers.map(([answer, count]) => `${answer} ${count}`).join(', '));

  const failed = new Set<string>();
  if (failure) {
    console.log(`\n${failure.report}\n\n${failure.error instanceof Error ? failure.error.stack : String(failure.error)}\n`);
    failed.add(failure.error instanceof Contradiction ? failure.error.subject : 'the test itself');
  }
  const endpoints = drivenEndpoints().map(({ name }) => name);
  const unanswered = endpoints.filter((name) => !tally.answers.get(name)?.has('success'));
  // A short run, or one that broke off, does not come to all of them.
  if (!failure && steps > stepsForAllEndpoints) {
    for (const name of unanswered) {
      console.log(`${name} was never answered with success`);
      failed.add(name);
    }
  }
  console.log(`${endpoints.filter((name) => !failed.has(name)).length} passed, ${failed.size} failed`);
  return failed.size === 0;
}
