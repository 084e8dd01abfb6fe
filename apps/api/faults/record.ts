import { writeSection } from '../../../test/documentation-section.ts';
import { titleOf } from './list/index.ts';
import { describeOutcomes } from './report.ts';
import type { FaultResult } from './run-fault.ts';

/** Writes the result of random faults into docs/run/reliability.md. @param command as a user types it */
export async function recordRandomFaults(results: readonly FaultResult[], lost: readonly string[], command: string): Promise<void> {
  const writes = results.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  const counts = Map.groupBy(results, ({ fault }) => titleOf(fault));
  const rows = [...counts].map(
    ([title, found]) => `| ${title} | ${found.length} | ${found.filter(({ problems }) => problems.length > 0).length} |`,
  );
  const table = ['| Fault | Times | Failed |', '| --- | --- | --- |', ...rows].join('\n');
  const summary = `${results.length} faults, ${writes} acknowledged writes, all checked again at the end. Lost: ${lost.length === 0 ? 'nothing' : lost.join(', ')}.`;
  await writeSection('docs/run/reliability.md', 'random-faults', `\`${command}\` wrote these results`, `${summary}\n\n${table}`);
}

/** Writes the results into docs/run/reliability.md, as a table. @param command as a user types it */
export async function recordFaults(results: readonly FaultResult[], command: string): Promise<void> {
  const rows = results.map((result) => {
    const { fault, recoverySeconds, acknowledged, problems } = result;
    const lost = problems.length === 0 ? `nothing of ${acknowledged.length} writes` : `FAILED: ${problems[0]}`;
    return `| ${[fault.part, fault.name, describeOutcomes(result), `${recoverySeconds.toFixed(1)} s`, lost].join(' | ')} |`;
  });
  const table = ['| Part | Fault | What callers saw | Served again after | Lost |', '| --- | --- | --- | --- | --- |', ...rows];
  await writeSection('docs/run/reliability.md', 'faults', `\`${command}\` wrote these results`, table.join('\n'));
}
