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

/** Runs the steps. Returns what they printed at the end, without the durations. */
async function summaryOf(steps: Steps, skip?: string[]): Promise<string[]> {
  await runSteps(steps, skip);
  const [text] = vi.mocked(console.log).mock.lastCall as [string];
  return text.split('\n').map((line) => line.replace(/ +\d+\.\d s +/, '  '));
}

const succeed = async () => undefined;

test('a step counts as one, and a suite with its tests', async () => {
  expect(await summaryOf({ lint: succeed, 'storage: files': async () => ({ passed: 3, failed: 0 }) })).toEqual([
    '',
    'ok  lint',
    'ok  storage: files',
    '',
    '4 passed, 0 failed',
  ]);
  expect(process.exitCode).toBe(0);
});

test('all steps run after a failure, which sets exit code 1', async () => {
  const steps = {
    lint: () => Promise.reject(new Error('a fault')),
    'storage: files': async () => ({ passed: 1, failed: 2 }),
    build: succeed,
  };
  expect(await summaryOf(steps)).toEqual(['', 'FAILED  lint', 'FAILED  storage: files', 'ok  build', '', '2 passed, 3 failed']);
  expect(process.exitCode).toBe(1);
});

test('the line before the last one names the suites that CI_SKIP leaves out', async () => {
  const failing = () => Promise.reject(new Error('It must not run'));
  const steps = { lint: succeed, 'storage: files': failing, 'storage: more files': failing };
  expect(await summaryOf(steps, ['storage'])).toEqual([
    '',
    'ok  lint',
    'skipped            storage: files',
    'skipped            storage: more files',
    '',
    'skipped: storage',
    '1 passed, 0 failed',
  ]);
});

test('the line before the last one names the steps that could not run, with the reason', async () => {
  const steps = {
    lint: succeed,
    'compose: containers': async () => ({ skipped: 'no engine' }),
    images: async () => ({ skipped: 'no disk' }),
  };
  expect(await summaryOf(steps)).toEqual([
    '',
    'ok  lint',
    'skipped            compose: containers (no engine)',
    'skipped            images (no disk)',
    '',
    'skipped: compose (no engine), images (no disk)',
    '1 passed, 0 failed',
  ]);
  expect(process.exitCode).toBe(0);
});

test('an unknown name in CI_SKIP fails', async () => {
  expect((await summaryOf({ 'storage: files': succeed }, ['storge'])).at(-1)).toBe('1 passed, 1 failed');
  expect(console.error).toHaveBeenCalledWith('CI_SKIP names unknown suites: storge. The suites are storage.');
});

test('CI_SKIP is a list of names, separated by commas', () => {
  expect(readSkip('keycloak, storage,')).toEqual(['keycloak', 'storage']);
  expect(readSkip()).toEqual([]);
});
