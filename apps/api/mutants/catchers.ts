import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What a test says of the copy. */
export interface Verdict {
  /** What it noticed; null where it found all in order. */
  noticed: string | null;
}

/** The isolation test's first seed, and how many steps it plays at most. */
const seed = 1;
const mostSteps = 4_000;

/** Where a test is run, and until when. */
export interface Bench {
  /** The project's folder. */
  copy: string;
  /** Where the isolation test makes its databases. */
  databaseServer: string;
  interruption: AbortSignal;
}

/** The isolation test: the same worlds each time. */
export async function isolation(bench: Bench): Promise<Verdict> {
  const args = ['--seed', seed, '--steps', mostSteps, '--no-shrink', '--database-server', bench.databaseServer].map(String);
  const { code, output } = await run(bench, 'node', ['apps/api/isolation/main.ts', ...args]);
  if (code === 0) return { noticed: null };
  const contradiction = /^Contradiction: (.*)$/m.exec(output)?.[1];
  // A program that does not even start has noticed nothing.
  if (contradiction === undefined) throw new Error(`The isolation test broke off:\n${output.slice(-4_000)}`);
  return { noticed: `after ${/steps: (\d+)/.exec(output)?.[1]} steps: ${contradiction}` };
}

/** A test file of the project. */
export async function testFile(bench: Bench, file: string): Promise<Verdict> {
  // Of what it prints at its end a pipe takes the beginning alone.
  const reportFile = join(bench.copy, 'node_modules', '.cache', 'mutant.json');
  await rm(reportFile, { force: true });
  const { code, output } = await run(bench, 'vitest', ['run', '--reporter=json', `--outputFile=${reportFile}`, '--silent=true', file]);
  if (code === 0) return { noticed: null };
  const report = JSON.parse(await readFile(reportFile, 'utf8')) as Report;
  const failed = report.testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'));
  const [first] = failed;
  if (!first) throw new Error(`${file} could not be run:\n${output.slice(-4_000)}`);
  return { noticed: first.fullName };
}

interface Report {
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

/** Longest that a test may take. */
const timeoutMs = 300_000;

async function run(
  { copy: cwd, interruption: signal }: Bench,
  program: string,
  args: string[],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(join(cwd, 'node_modules', '.bin', program), args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    signal,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, output };
}
