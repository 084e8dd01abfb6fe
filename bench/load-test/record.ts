import { cpus } from 'node:os';
import { writeSection } from '../../test/documentation-section.ts';
import type { SuiteResult } from './check.ts';

/** A run with its results. */
export interface Run {
  command: string;
  /** Mixed requests per second. */
  capacity: number;
  /** Version of PostgreSQL. */
  postgres: string;
  suites: ReadonlyMap<string, SuiteResult>;
}

/** Writes the results of a run into docs/run/load.md. */
export async function recordRun(run: Run): Promise<void> {
  const processors = cpus();
  const machine = `${processors[0]?.model ?? 'unknown'}, ${processors.length} processors, Node ${process.version}, PostgreSQL ${run.postgres}`;
  await writeSection('docs/run/load.md', 'load', `\`${run.command}\` wrote these results`, `Machine: ${machine}.\n\n${resultsOf(run)}`);
}

/** The results as Markdown. */
export function resultsOf({ capacity, suites }: Pick<Run, 'capacity' | 'suites'>): string {
  const sections = [...suites].map(([name, { checks, figures }]) => {
    const rows = checks.map((check) => `| ${[check.name, check.limit, check.measured, check.passed ? 'yes' : '**no**'].join(' | ')} |`);
    const table = ['| Requirement | Limit | Measured | Met |', '| --- | --- | --- | --- |', ...rows];
    return [`### ${name[0]?.toUpperCase()}${name.slice(1)}`, '', ...table, '', ...figures.map((figure) => `- ${figure}`)].join('\n');
  });
  return [`Capacity: ${capacity.toFixed(0)} requests per second.`, ...sections].join('\n\n');
}
