import { describeRun, recordFigures } from '../../../test/figures/figures.ts';
import { titleOf } from './list/index.ts';
import type { FaultResult } from './run-fault.ts';

/** Prints the result of a fault. */
export function printResult({ fault, outcomes, recoverySeconds, acknowledged, problems }: FaultResult): void {
  const { count, longestMs } = outcomes.get('success') ?? { count: 0, longestMs: 0 };
  const seen = `${count} successes, longest ${secondsOf(longestMs)}; ${describeFailures(outcomes)}`;
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${titleOf(fault)}`);
  console.log(`       ${seen}; served again after ${recoverySeconds.toFixed(1)} s; ${acknowledged.length} acknowledged writes checked`);
  for (const problem of problems.slice(0, 10)) console.log(`       - ${problem}`);
  if (problems.length > 10) console.log(`       - and ${problems.length - 10} more`);
}

/** What was wrong with each reader of events: its name and number of events → the problems. */
type Readers = ReadonlyMap<string, readonly string[]>;

/** Prints the result of a reader of events. */
export function printReader(name: string, problems: readonly string[]): void {
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  for (const problem of problems) console.log(`       - ${problem}`);
}

/** Writes the results into docs/run/figures.md, as a table. @param command as a user types it */
export async function recordFaults(results: readonly FaultResult[], readers: Readers, command: string): Promise<void> {
  const head = ['Part', 'Fault', 'Responses other than success', 'Served again after'];
  const rows = results.map(({ fault: { part, name }, outcomes, recoverySeconds }) => {
    return [part, name, describeFailures(outcomes), `${recoverySeconds.toFixed(1)} s`];
  });
  await recordFigures('faults', { run: describeRun(command), summary: summaryOf(results, readers), results: { head, rows } });
}

/** Writes the result of random faults into docs/run/figures.md. @param lost writes that were missing at the end @param command as a user types it */
export async function recordRandomFaults(
  results: readonly FaultResult[],
  lost: readonly string[],
  readers: Readers,
  command: string,
): Promise<void> {
  const kinds = new Set(results.map(({ fault }) => titleOf(fault))).size;
  const summary = `${results.length} faults of ${kinds} kinds. ${summaryOf(results, readers)} Lost at the end: ${listOf(lost)}.`;
  await recordFigures('randomFaults', { run: describeRun(command), summary });
}

function summaryOf(results: readonly FaultResult[], readers: Readers): string {
  const writes = results.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  const failed = results.filter(({ problems }) => problems.length > 0).map(({ fault, problems }) => `${titleOf(fault)} (${problems[0]})`);
  failed.push(...[...readers].filter(([, problems]) => problems.length > 0).map(([name, problems]) => `${name} (${problems[0]})`));
  return `${writes} acknowledged writes were checked. Readers of events: ${listOf([...readers.keys()])}. Failed: ${listOf(failed)}.`;
}

/** Describes each outcome other than success with its longest time, the most frequent first. */
function describeFailures(outcomes: FaultResult['outcomes']): string {
  const others = [...outcomes].filter(([outcome]) => outcome !== 'success').toSorted(([, one], [, other]) => other.count - one.count);
  return listOf(
    others.map(([outcome, { count, longestMs }]) => `${count} × ${outcome}, longest ${secondsOf(longestMs)}`),
    '; ',
  );
}

const secondsOf = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
const listOf = (items: readonly string[], separator = ', ') => (items.length === 0 ? 'none' : items.join(separator));
