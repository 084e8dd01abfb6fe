import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCode, machinePath } from './command.ts';
import type { Outcome } from './steps.ts';

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
}

/** The README's test command, on the machine's own Node. A test that was left out counts as failed: here everything can run. */
export async function npmTest(): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'profile-service-report-'));
  try {
    const file = join(folder, 'tests.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const code = await exitCode('npm', ['test', '--', ...reporters], { env: { PATH: machinePath } });
    const report = JSON.parse(await readFile(file, 'utf8')) as Report;
    const leftOut = report.numPendingTests + report.numTodoTests;
    if (leftOut > 0) console.log(`${leftOut} tests were left out`);
    const failed = report.numFailedTests + leftOut;
    // A file that could not be read, or an error outside any test, fails the run without failing a test.
    return { passed: report.numPassedTests, failed: code === 0 ? failed : Math.max(failed, 1) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
