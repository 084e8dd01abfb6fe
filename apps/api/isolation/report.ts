import type { RunResult } from './run.ts';
import { Contradiction } from './prediction.ts';
import { drivenEndpoints } from './endpoints/index.ts';

/** After so many steps every endpoint must have succeeded once. */
const stepsForAllEndpoints = 4_000;

/**
 * Prints the figures, each failing case with the command that repeats it, and the closing line `N passed, N failed` (endpoints).
 * Returns the figures and the numbers of the closing line.
 */
export function report({ counters, seconds, seeds, failure }: RunResult): { figures: string; passed: number; failed: number } {
  const { worlds, steps } = counters;
  const responses = counters.byResponse();
  const total = responses.reduce((sum, [, count]) => sum + count, 0);
  const withRate = (count: number): string => `${count} (${(count / seconds).toFixed(0)}/s)`;
  console.log(`\n${worlds} worlds (seeds ${seeds.first} to ${seeds.last}), steps: ${withRate(steps)}, responses: ${withRate(total)}`);
  console.log(responses.map(([response, count]) => `${response} ${count}`).join(', '));

  const failed = new Map<string, string>();
  if (failure) {
    const { error, seed, path } = failure;
    console.log(`\n${failure.report}\n\n${error instanceof Error ? error.stack : String(error)}\n`);
    const command = `npm run proof -- isolation --seed ${seed}${replayOf(failure.report, path)}`;
    const subject = error instanceof Contradiction ? error.subject : 'the test program';
    failed.set(subject, `FAILED ${subject}, seed ${seed}: ${firstLine(error)}\n  repeat: ${command}`);
  }
  const endpoints = drivenEndpoints().map(({ name }) => name);
  // A short run and a failed run do not reach all endpoints.
  if (!failure && steps > stepsForAllEndpoints) {
    for (const name of endpoints.filter((each) => !counters.responses.get(each)?.has('success'))) {
      const command = `npm run proof -- isolation --seed ${seeds.first} --steps ${steps}`;
      failed.set(name, `FAILED ${name}, seeds ${seeds.first} to ${seeds.last}: never succeeded\n  repeat: ${command}`);
    }
  }
  for (const text of failed.values()) console.log(text);
  const passed = endpoints.filter((name) => !failed.has(name)).length;
  console.log(`${passed} passed, ${failed.size} failed`);
  const figures = `${worlds} worlds (seeds ${seeds.first} to ${seeds.last}), ${steps} steps, ${total} responses in ${(seconds / 60).toFixed(0)} min`;
  return { figures, passed, failed: failed.size };
}

const firstLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** The options that repeat only the smallest counterexample; fast-check prints the path of its commands. */
function replayOf(text: string, path: string | null): string {
  const replay = /replayPath="([^"]*)"/.exec(text)?.[1];
  return path === null || replay === undefined ? '' : ` --path "${path}" --replay "${replay}"`;
}
