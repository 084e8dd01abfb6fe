import { expect, test } from 'vitest';
import { type HealthCheck, HealthMonitor, type Part, parts } from '../../src/observability/health.ts';
import { createLog } from '../../src/observability/log.ts';

test('a check in the background whose failure cannot be explained is logged', async () => {
  const lines: object[] = [];
  const health = new HealthMonitor(createLog('error', { write: (line) => lines.push(JSON.parse(line) as object) }));
  let fails = false;
  const check: HealthCheck = {
    run: () => (fails ? Promise.reject(new Error('unknown')) : Promise.resolve()),
    explain() {
      throw new Error('not explained');
    },
    messages: { down: 'down', up: 'up' },
  };
  const checks = Object.fromEntries(parts.map((part) => [part, check])) as Record<Part, HealthCheck>;
  await health.start({ checks, hasKeys: () => true, intervalMs: 600_000 });
  fails = true;
  health.check('storage');
  await expect
    .poll(() => lines)
    .toMatchObject([{ part: 'storage', err: { message: 'not explained' }, msg: 'a health check has no result' }]);
  health.stop();
});
