import { titleOf } from './list/index.ts';
import type { FaultResult } from './run-fault.ts';

/** Describes what callers saw: successes first, then the other outcomes. */
export function describeOutcomes(result: FaultResult): string {
  const successes = result.outcomes.get('success');
  return `${successes?.count ?? 0} successes, longest ${secondsOf(successes?.longestMs ?? 0)}; ${describeFailures(result)}`;
}

/** Describes each outcome other than success with its longest time, the most frequent first. */
export function describeFailures({ outcomes }: FaultResult): string {
  const others = [...outcomes].filter(([outcome]) => outcome !== 'success').toSorted(([, one], [, other]) => other.count - one.count);
  const texts = others.map(([outcome, { count, longestMs }]) => `${count} × ${outcome}, longest ${secondsOf(longestMs)}`);
  return texts.join('; ') || 'none';
}

const secondsOf = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

/** Prints the result of a fault. */
export function printResult(result: FaultResult): void {
  const { fault, recoverySeconds, acknowledged, problems } = result;
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${titleOf(fault)}`);
  console.log(
    `       ${describeOutcomes(result)}; served again after ${recoverySeconds.toFixed(1)} s; ${acknowledged.length} acknowledged writes checked`,
  );
  for (const problem of problems.slice(0, 10)) console.log(`       - ${problem}`);
  if (problems.length > 10) console.log(`       - and ${problems.length - 10} more`);
}
