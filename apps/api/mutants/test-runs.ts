import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The isolation test's first seed. */
const seed = 1;
/** The steps of the isolation test in which it must detect a mutant. */
export const maxSteps = 4_000;

export interface TestEnvironment {
  /** The folder of the project's copy. */
  copy: string;
  /** Connection string of the server on which the isolation test creates its databases. */
  databaseServer: string;
  signal: AbortSignal;
}

/** The first failure of a test, if it failed. */
export interface TestResult {
  failure: string | null;
  /** The steps of the isolation test up to the failure. */
  steps?: number;
}

/** Runs the isolation test, with the same seed each time, for so many steps or up to the first failure. */
export async function runIsolation(environment: TestEnvironment, steps: number): Promise<TestResult> {
  const args = ['--seed', seed, '--steps', steps, '--no-shrink', '--database-server', environment.databaseServer].map(String);
  const { code, output } = await run(environment, 'node', ['apps/api/isolation/main.ts', ...args]);
  if (code === 0) return { failure: null };
  const contradiction = /^Contradiction: (.*(?:\n {2}.*)*)/m.exec(output)?.[1];
  // A program that fails to start has detected nothing.
  if (contradiction === undefined) throw new Error(`The isolation test did not finish:\n${output.slice(-4_000)}`);
  const done = Number(/steps: (\d+)/.exec(output)?.[1]);
  return { failure: `after ${done} steps: ${contradiction}`, steps: done };
}

/** Runs one test file of the project. */
export async function runTestFile(environment: TestEnvironment, file: string): Promise<TestResult> {
  // The report goes to a file: a pipe loses the end of what a process writes before it exits.
  const reportFile = join(environment.copy, 'node_modules', '.cache', 'mutant.json');
  await rm(reportFile, { force: true });
  const args = ['run', '--reporter=json', `--outputFile=${reportFile}`, '--silent=true', '--bail=1', file];
  const { code, output } = await run(environment, 'vitest', args);
  if (code === 0) return { failure: null };
  const report = JSON.parse(await readFile(reportFile, 'utf8')) as Report;
  const first = report.testResults.flatMap(({ assertionResults }) => assertionResults).find(({ status }) => status === 'failed');
  if (!first) throw new Error(`${file} could not be run:\n${output.slice(-4_000)}`);
  return { failure: first.fullName };
}

interface Report {
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

const timeoutMs = 300_000;

async function run(
  { copy: cwd, signal }: TestEnvironment,
  program: string,
  args: string[],
): Promise<{ code: number | null; output: string }> {
  const path = join(cwd, 'node_modules', '.bin', program);
  const child = spawn(path, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, signal });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, output };
}
