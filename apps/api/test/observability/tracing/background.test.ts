import { trace, TraceFlags } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { type HealthCheck, HealthMonitor, type Part, parts } from '../../../src/observability/health.ts';
import { activeSpan } from '../../../src/observability/tracing/active-span.ts';
import { useCollector } from '../../support/collector.ts';
import { lockTable } from '../../support/race.ts';
import { createTracedLog, type TracedLine } from '../../support/traced-log.ts';
import { useWorld } from '../../support/world.ts';

// Timers and sockets that a request creates keep its span as the active one. Background work must not use it.

const world = useWorld();
const collector = useCollector();

test('lines about lost database connections have no ids of the requests that opened them', async () => {
  const lines: TracedLine[] = [];
  const log = createTracedLog(collector.settings, lines, 'debug');
  const api = await world.another({ ...collector.settings, DATABASE_POOL_MAX: '10' }, { log, healthIntervalMs: 600_000 });
  const connections = async (condition: string) => {
    const ofService = "application_name = 'profile-service' and datname = current_database()";
    const found = await world.sql<{ pid: number }>(`select pid from pg_stat_activity where ${ofService} and ${condition}`);
    return found.map(({ pid }) => pid);
  };
  const before = await connections('true');
  const { end } = await lockTable(world, 'apps');
  // A caller may use half of the pool at once.
  const requests = Array.from({ length: 5 }, () => api.call(world.global, 'GET /api/apps'));
  await expect.poll(() => connections("wait_event_type = 'Lock'")).toHaveLength(5);
  const opened = (await connections("wait_event_type = 'Lock'")).find((pid) => !before.includes(pid));
  await end();
  for (const { status } of await Promise.all(requests)) expect(status).toBe(200);
  // Only one is ended: the health check after its line must not get another lost connection, which would then have no line.
  await world.sql('select pg_terminate_backend($1)', [opened]);
  const about = () => lines.filter(({ msg }) => msg === 'a database connection was lost');
  await expect.poll(about).toHaveLength(1);
  expect(about()[0]).not.toHaveProperty('trace_id');
});

test('a health check that a request causes has no active span, and neither have its log lines', async () => {
  const lines: TracedLine[] = [];
  const log = createTracedLog(collector.settings, lines, 'debug');
  const spans: unknown[] = [];
  const check: HealthCheck = {
    run: async () => {
      await Promise.resolve();
      spans.push(activeSpan.getStore());
      if (spans.length > parts.length) throw new Error('lost');
    },
    explain: () => 'The database was lost.',
    messages: { down: 'database is down', up: 'database is up again' },
  };
  const health = new HealthMonitor(log);
  const checks = Object.fromEntries(parts.map((part) => [part, check])) as Record<Part, HealthCheck>;
  await health.start({ checks, hasKeys: () => true, intervalMs: 600_000 });
  const request = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: TraceFlags.SAMPLED });
  activeSpan.run(request, () => health.check('database'));
  await expect.poll(() => lines).toMatchObject([{ msg: 'database is down' }]);
  health.stop();
  expect(spans).toEqual(Array(parts.length + 1).fill(undefined));
  expect(lines[0]).not.toHaveProperty('trace_id');
});
