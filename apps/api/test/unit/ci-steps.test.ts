import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { machinePath, root } from '../../../../scripts/ci/command.ts';
import { readSkip, runSteps } from '../../../../scripts/ci/steps.ts';
import { isPostgres15 } from '../../../../scripts/postgres15.ts';

let exitCode: typeof process.exitCode;
beforeEach(() => {
  ({ exitCode } = process);
  for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockReturnValue();
});
afterEach(() => {
  process.exitCode = exitCode;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('CI runs all steps after a failure, counts the tests of suites, and names what it leaves out', async () => {
  const steps = {
    lint: () => Promise.reject(new Error('a fault')),
    'storage: files': async () => ({ passed: 3, failed: 2 }),
    'keycloak: users': () => Promise.reject(new Error('It must not run')),
    'compose: containers': async () => ({ skipped: 'no engine' }),
    build: async () => undefined,
  };
  await runSteps(steps, readSkip('keycloak,'));
  const [text] = vi.mocked(console.log).mock.lastCall as [string];
  // Without the durations.
  expect(text.split('\n').map((line) => line.replace(/ +\d+\.\d s +/, '  '))).toEqual([
    '',
    'FAILED  lint',
    'FAILED  storage: files',
    'skipped            keycloak: users',
    'skipped            compose: containers (no engine)',
    'ok  build',
    '',
    'skipped: keycloak, compose (no engine)',
    '4 passed, 3 failed',
  ]);
  expect(process.exitCode).toBe(1);
});

test('CI succeeds if all steps do, and fails for an unknown name in CI_SKIP', async () => {
  const steps = { 'storage: files': async () => undefined };
  await runSteps(steps);
  expect(process.exitCode).toBe(0);
  await runSteps(steps, readSkip('keycloak, storge,'));
  expect(process.exitCode).toBe(1);
  expect(console.error).toHaveBeenCalledWith('CI_SKIP names unknown suites: keycloak, storge. The suites are storage.');
});

test('tests run as on the machine get the Go that CI installed, and no tool of the project', () => {
  const go = `${root}/node_modules/.cache/go/go/bin`;
  vi.stubEnv('PATH', [`${root}/node_modules/.bin`, `${root}/packages/db/node_modules/.bin`, go, '/usr/bin'].join(':'));
  expect(machinePath()).toBe(`${go}:/usr/bin`);
});

test('PostgreSQL of another version is not PostgreSQL 15', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'profile-service-postgres-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'postgres'), "#!/bin/sh\necho 'postgres (PostgreSQL) 18.4'\n", { mode: 0o755 });
  vi.stubEnv('POSTGRES_BIN', folder);
  expect(isPostgres15()).toBe(false);
});
