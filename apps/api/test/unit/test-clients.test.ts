import { beforeEach, describe, expect, test, vi } from 'vitest';
import { checkCount, type Step } from '../../../../scripts/clients/language.ts';
import { runLanguage } from '../../../../scripts/clients/run-language.ts';

beforeEach(() => {
  for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockReturnValue();
});

describe('a language of the proof clients', () => {
  const run = (...steps: Step[]) => runLanguage({ folder: 'python', checks: ['checks.py', 'checks.py'], programs: [], steps }, '{}', {});
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
