import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/ci/command.ts';
import { currentCommit } from '../scripts/current-commit.ts';
import { formatFile } from '../scripts/generated-file.ts';

/** The latest run of a long test. */
export interface TestResult {
  /** Key of the row: a new result replaces the row of the same test. */
  test: string;
  /** As a user types it. */
  command: string;
  /** How much was tested, with the seeds. */
  figures: string;
  passed: number;
  failed: number;
}

const page = 'docs/run/test-results.md';

/** Separates the flag `--record` from the arguments of a command. */
export function splitRecordFlag(args: readonly string[]): { record: boolean; args: string[] } {
  return { record: args.includes('--record'), args: args.filter((arg) => arg !== '--record' && arg !== '--') };
}

/** The command of an npm script as a user types it. */
export const npmRun = (script: string, args: readonly string[]): string =>
  ['npm run', script, ...(args.length > 0 ? ['--'] : []), ...args].join(' ');

/** Writes the result of a long test into docs/run/test-results.md, with the date and the commit. */
export async function recordResult(result: TestResult): Promise<void> {
  const file = join(root, page);
  const row = rowOf(result, new Date().toISOString().slice(0, 10), currentCommit());
  writeFileSync(file, await formatFile(page, withRow(readFileSync(file, 'utf8'), result.test, row)));
}

/** The row of a result in the table. */
export function rowOf({ test, command, figures, passed, failed }: TestResult, date: string, commit: string): string {
  return `| ${[test, date, commit, `\`${command}\``, figures, `${passed} passed, ${failed} failed`].join(' | ')} |`;
}

/** The page with the row in place of the test's previous one, or at the end of its first table. */
export function withRow(text: string, test: string, row: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('| '));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  const table = lines.slice(start, end);
  const previous = table.findIndex((line) => line.split('|')[1]?.trim() === test);
  if (previous === -1) table.push(row);
  else table[previous] = row;
  return [...lines.slice(0, start), ...table, ...lines.slice(end)].join('\n');
}
