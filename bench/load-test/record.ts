import { cpus } from 'node:os';
import { describeRun, recordFigures } from '../../test/figures/figures.ts';
import type { Table } from '../../test/figures/markdown.ts';
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

/** Writes the results of a run into docs/run/figures.md. */
export async function recordRun({ command, capacity, postgres, suites }: Run): Promise<void> {
  const processors = cpus();
  const machine = `${processors[0]?.model ?? 'unknown'}, ${processors.length} processors, Node ${process.version}, PostgreSQL ${postgres}`;
  const run = `${describeRun(command)} Machine: ${machine}. Capacity: ${capacity.toFixed(0)} requests per second.`;
  await recordFigures('load', { run, checks: checksOf(suites) });
}

/** The requirements of all suites. */
export function checksOf(suites: Run['suites']): Table {
  const rows = [...suites].flatMap(([suite, { checks }]) =>
    checks.map(({ name, limit, measured, passed }) => [suite, name, limit, measured, passed ? 'yes' : '**no**']),
  );
  return { head: ['Suite', 'Requirement', 'Limit', 'Measured', 'Met'], rows };
}
