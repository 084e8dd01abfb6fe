import { describeRun, recordFigures } from '../../../test/figures/figures.ts';
import { titleOf } from './list/index.ts';
import { describeFailures } from './report.ts';
import type { FaultResult } from './run-fault.ts';

/** Writes the result of random faults into docs/run/figures.md. @param command as a user types it */
export async function recordRandomFaults(results: readonly FaultResult[], lost: readonly string[], command: string): Promise<void> {
  const writes = results.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  const kinds = new Set(results.map(({ fault }) => titleOf(fault))).size;
  const failed = results.filter(({ problems }) => problems.length > 0).map(({ fault }) => titleOf(fault));
  const list = (items: readonly string[]) => (items.length === 0 ? 'none' : items.join(', '));
  const summary = `${results.length} faults of ${kinds} kinds. Failed: ${list(failed)}. ${writes} acknowledged writes, all checked again at the end. Lost: ${list(lost)}.`;
  await recordFigures('randomFaults', { run: describeRun(command), summary });
}

/** Writes the results into docs/run/figures.md, as a table. @param command as a user types it */
export async function recordFaults(results: readonly FaultResult[], command: string): Promise<void> {
  const rows = results.map((result) => {
    const { fault, recoverySeconds, acknowledged, problems } = result;
    const lost = problems.length === 0 ? `0 of ${acknowledged.length}` : `FAILED: ${problems[0]}`;
    return [fault.part, fault.name, describeFailures(result), `${recoverySeconds.toFixed(1)} s`, lost];
  });
  const head = ['Part', 'Fault', 'Responses other than success', 'Served again after', 'Lost writes'];
  await recordFigures('faults', { run: describeRun(command), results: { head, rows } });
}
