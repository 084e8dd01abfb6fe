import { currentCommit } from '../scripts/current-commit.ts';
import { readFigures, recordFigures } from './figures/figures.ts';
import type { Table } from './figures/markdown.ts';

/** The latest run of a long test. */
interface TestResult {
  /** Key of the row: a new result replaces the row of the same test. */
  test: string;
  /** As a user types it. */
  command: string;
  /** How much was tested, with the seeds. */
  figures: string;
  passed: number;
  failed: number;
}

/** Separates the flag `--record` from the arguments of a command. */
export function splitRecordFlag(args: readonly string[]): { record: boolean; args: string[] } {
  return { record: args.includes('--record'), args: args.filter((arg) => arg !== '--record' && arg !== '--') };
}

/** The command of an npm script as a user types it. */
export const npmRun = (script: string, args: readonly string[]): string =>
  ['npm run', script, ...(args.length > 0 ? ['--'] : []), ...args].join(' ');

/** Writes the result of a long test into docs/run/figures.md, with the date and the commit. */
export async function recordResult(result: TestResult): Promise<void> {
  const latest = readFigures()['tests']?.['latest'] as Table;
  const row = rowOf(result, new Date().toISOString().slice(0, 10), currentCommit());
  await recordFigures('tests', { latest: { ...latest, rows: withRow(latest.rows, row) } });
}

/** The row of a result in the table. */
function rowOf({ test, command, figures, passed, failed }: TestResult, date: string, commit: string): string[] {
  return [test, date, commit, `\`${command}\``, figures, `${passed} passed, ${failed} failed`];
}

/** The rows with the new one in place of the previous one of its test, or at the end. */
function withRow(rows: readonly string[][], row: string[]): string[][] {
  const previous = rows.findIndex(([test]) => test === row[0]);
  return previous === -1 ? [...rows, row] : rows.with(previous, row);
}
