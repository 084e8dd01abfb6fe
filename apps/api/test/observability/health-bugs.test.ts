import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { type HealthCheck, HealthMonitor, type Part, parts } from '../../src/observability/health.ts';

const monitor = new HealthMonitor(createLog('silent'));
afterEach(() => monitor.stop());

test('a bug in a check is reported as a bug, and not as an outage of the part', async () => {
  const check = (part: Part): HealthCheck => ({
    run: () => (part === 'storage' ? Promise.reject(new TypeError('x is not a function')) : Promise.resolve()),
    explain: () => 'The storage cannot be reached',
    messages: { down: 'down', up: 'up' },
  });
  const checks = Object.fromEntries(parts.map((part) => [part, check(part)])) as Record<Part, HealthCheck>;
  await monitor.start({ checks, hasKeys: () => true });
  const storage = 'The check itself failed, because of a bug in the service: report the cause in the log.';
  expect(monitor.detailedReport()).toMatchObject({ status: 'degraded', reasons: { storage } });
});
