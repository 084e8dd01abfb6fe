import { beforeEach, expect, test, vi } from 'vitest';
import { checkCount, type Step } from '../../../../scripts/clients/language.ts';
import { runLanguage } from '../../../../scripts/clients/run-language.ts';

beforeEach(() => {
  for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockReturnValue();
});

const run = (...steps: Step[]) => runLanguage({ folder: 'python', checks: ['checks.py', 'checks.py'], programs: [], steps }, '{}', {});
const step = (script: string, more: Partial<Step> = {}): Step => ({ name: 'step', command: ['sh', '-c', script], ...more });
const checks = (script: string) => step(script, { checks: { line: /^(ok|not ok)$/gm, passed: 'ok' } });

test.each([
  ['its steps run in a copy of the example', [step('test -s main.py && test -s checks.py && test "$(cat openapi.json)" = "{}"')], [1, 0]],
  ['all checks pass', [checks(`for i in $(seq ${checkCount}); do echo ok; done`)], [checkCount, 0]],
  ['a check fails', [checks(`echo not ok; for i in $(seq ${checkCount - 1}); do echo ok; done`)], [checkCount - 1, 1]],
  ['a program ends before its last check', [checks('echo ok')], [1, 1]],
  ['a program fails, and the next steps are skipped', [step('exit 1'), step('true')], [0, 1]],
  ['a program does not print what it should', [step('echo other', { prints: ['expected'] })], [0, 1]],
])('a language of the proof clients counts what passed and failed when %s', async (_what, steps, [passed, failed]) => {
  expect(await run(...steps)).toEqual({ passed, failed });
});
