import { describeRun, recordFigures } from '../../../test/figures/figures.ts';
import { titleOf } from './list/index.ts';
import { describeFailures } from './report.ts';
import type { FaultResult } from './run-fault.ts';

/** Writes the result of random faults into docs/run/figures.md. @param lost writes that were missing at the end @param command as a user types it */
export async function recordRandomFaults(results: readonly FaultResult[], lost: readonly string[], command: string): Promise<void> {
  const kinds = new Set(results.map(({ fault }) => titleOf(fault))).size;
  const summary = `${results.length} faults of ${kinds} kinds. ${summaryOf(results)} Lost at the end: ${listOf(lost)}.`;
  await recordFigures('randomFaults', { run: describeRun(command), summary });
}

/** Writes the results into docs/run/figures.md, as a table. @param command as a user types it */
export async function recordFaults(results: readonly FaultResult[], command: string): Promise<void> {
  const rows = results.map((result) => {
    const { part, name } = result.fault;
    return [part, name, describeFailures(result), `${result.recoverySeconds.toFixed(1)} s`];
  });
  const head = ['Part', 'Fault', 'Responses other than success', 'Served again after'];
  await recordFigures('faults', { run: describeRun(command), summary: summaryOf(results), results: { head, rows } });
}

function summaryOf(results: readonly FaultResult[]): string {
  const writes = results.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  const failed = results.filter(({ problems }) => problems.length > 0).map(({ fault, problems }) => `${titleOf(fault)} (${problems[0]})`);
  return `${writes} acknowledged writes were checked. Failed: ${listOf(failed)}.`;
}

const listOf = (items: readonly string[]) => (items.length === 0 ? 'none' : items.join(', '));
