import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readSkip, runSteps, type Steps } from '../../../../scripts/ci/steps.ts';

let exitCode: typeof process.exitCode;
beforeEach(() => {
  ({ exitCode } = process);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  process.exitCode = exitCode;
  vi.restoreAllMocks();
});

const succeed = async () => undefined;
const fail = () => Promise.reject(new Error('a fault'));

test.each<[what: string, steps: Steps, skip: string[], summary: string[], code: number]>([
  [
    'counts a step as one, and a suite with its tests',
    { lint: succeed, 'storage: files': async () => ({ passed: 3, failed: 0 }) },
    [],
    ['ok  lint', 'ok  storage: files', '', '4 passed, 0 failed'],
    0,
  ],
  [
    'runs all steps after a failure, which sets exit code 1',
    { lint: fail, 'storage: files': async () => ({ passed: 1, failed: 2 }), build: succeed },
    [],
    ['FAILED  lint', 'FAILED  storage: files', 'ok  build', '', '2 passed, 3 failed'],
    1,
  ],
  [
    'names the suites that CI_SKIP leaves out',
    { lint: succeed, 'storage: files': fail },
    ['storage'],
    ['ok  lint', 'skipped            storage: files', '', 'skipped: storage', '1 passed, 0 failed'],
    0,
  ],
  [
    'names the steps that could not run, with the reason',
    { lint: succeed, 'compose: containers': async () => ({ skipped: 'no engine' }) },
    [],
    ['ok  lint', 'skipped            compose: containers (no engine)', '', 'skipped: compose (no engine)', '1 passed, 0 failed'],
    0,
  ],
])('runSteps %s', async (_what, steps, skip, summary, code) => {
  await runSteps(steps, skip);
  const [text] = vi.mocked(console.log).mock.lastCall as [string];
  // Without the durations.
  expect(text.split('\n').map((line) => line.replace(/ +\d+\.\d s +/, '  '))).toEqual(['', ...summary]);
  expect(process.exitCode).toBe(code);
});

test('an unknown name in CI_SKIP fails', async () => {
  await runSteps({ 'storage: files': succeed }, readSkip('keycloak, storge,'));
  expect(process.exitCode).toBe(1);
  expect(console.error).toHaveBeenCalledWith('CI_SKIP names unknown suites: keycloak, storge. The suites are storage.');
});
