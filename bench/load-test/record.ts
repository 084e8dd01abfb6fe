import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../options.ts';
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

const page = join(root, 'docs/load.md');

/** Writes the results of a run between the markers of docs/load.md. */
export async function recordRun(run: Run): Promise<void> {
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], { cwd: root, encoding: 'utf8' }).trim();
  const processors = cpus();
  const machine = `${processors[0]?.model ?? 'unknown'}, ${processors.length} processors, Node ${process.version}, PostgreSQL ${run.postgres}`;
  const head = `\`${run.command}\` on ${new Date().toISOString().slice(0, 10)}, commit ${commit}. Machine: ${machine}.`;
  const text = withResults(readFileSync(page, 'utf8'), resultsOf(head, run));
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}

/** The results as Markdown. @param head describes the run */
export function resultsOf(head: string, { capacity, suites }: Pick<Run, 'capacity' | 'suites'>): string {
  const sections = [...suites].map(([name, { checks, figures }]) => {
    const rows = checks.map((check) => `| ${[check.name, check.limit, check.measured, check.passed ? 'yes' : '**no**'].join(' | ')} |`);
    const table = ['| Requirement | Limit | Measured | Met |', '| --- | --- | --- | --- |', ...rows];
    return [`### ${name[0]?.toUpperCase()}${name.slice(1)}`, '', ...table, '', ...figures.map((figure) => `- ${figure}`)].join('\n');
  });
  return ['## Results', head, `Capacity: ${capacity.toFixed(0)} requests per second.`, ...sections].join('\n\n');
}

/** The page with the results between its markers. Throws if a marker is missing. */
export function withResults(text: string, results: string): string {
  const [start, end] = ['<!-- load:start -->', '<!-- load:end -->'];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The page lacks the markers ${start} and ${end}`);
  return `${text.slice(0, from + start.length)}\n\n${results}\n\n${text.slice(to)}`;
}
