import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { go } from '../../../../scripts/clients/go.ts';
import { java } from '../../../../scripts/clients/java.ts';
import { checkCount, type Language, type Step } from '../../../../scripts/clients/language.ts';
import { python } from '../../../../scripts/clients/python.ts';
import { runLanguage } from '../../../../scripts/clients/run-language.ts';
import { typescript } from '../../../../scripts/clients/typescript.ts';

beforeEach(() => {
  for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockReturnValue();
});
afterEach(() => vi.unstubAllEnvs());

test.each<[string, Language]>([
  ['npm is missing: `npm --version` fails', typescript],
  ['Python 3.11 or later is missing: `python3 ', python],
  ['Go 1.21 or later is missing', go],
  ['A JDK is missing: `javac --release 17 --version` fails', java],
])('test:clients names the missing toolchain: %s', (message, language) => {
  // Go is looked up in the PATH of this process.
  vi.stubEnv('PATH', '/nonexistent');
  expect(() => language.requireToolchain('/nonexistent')).toThrow(message);
});

describe('a language of test:clients', () => {
  const run = (...steps: Step[]) =>
    runLanguage({ folder: 'python', checks: ['checks.py', 'checks.py'], requireToolchain: () => undefined, steps }, '{}', {});
  const step = (script: string, more: Partial<Step> = {}): Step => ({ name: 'step', command: ['sh', '-c', script], ...more });
  const checks = (script: string) => step(script, { checks: { line: /^(ok|not ok)$/gm, passed: 'ok' } });

  test('runs its steps in a copy of the example with the document and the checks', async () => {
    expect(await run(step('test -s main.py && test -s checks.py && test "$(cat openapi.json)" = "{}"'))).toEqual({ passed: 1, failed: 0 });
  });

  test('counts each check', async () => {
    expect(await run(checks(`for i in $(seq ${checkCount}); do echo ok; done`))).toEqual({ passed: checkCount, failed: 0 });
    expect(await run(checks(`echo not ok; for i in $(seq ${checkCount - 1}); do echo ok; done`))).toEqual({
      passed: checkCount - 1,
      failed: 1,
    });
  });

  test('fails if a program ends before its last check', async () => {
    expect(await run(checks('echo ok'))).toEqual({ passed: 1, failed: 1 });
  });

  test('fails if a program fails, or does not print what it should, and skips the next steps', async () => {
    expect(await run(step('exit 1'), step('true'))).toEqual({ passed: 0, failed: 1 });
    expect(await run(step('echo other', { prints: ['expected'] }))).toEqual({ passed: 0, failed: 1 });
  });
});
