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

/**
 * Runs `npm test` on the machine's own Node. A skipped test counts as failed, because everything that tests need is installed here.
 */
export async function npmTest(): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'profile-service-report-'));
  try {
    const file = join(folder, 'tests.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const code = await exitCode('npm', ['test', '--', ...reporters], { env: { PATH: machinePath() } });
    const report = JSON.parse(await readFile(file, 'utf8')) as Report;
    const skipped = report.numPendingTests + report.numTodoTests;
    if (skipped > 0) console.log(`${skipped} tests were skipped`);
    const failed = report.numFailedTests + skipped;
    // A file that does not load, or an error outside a test, fails the run but no test.
    return { passed: report.numPassedTests, failed: code === 0 ? failed : Math.max(failed, 1) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
