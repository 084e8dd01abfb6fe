import { trace, TraceFlags } from '@opentelemetry/api';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { duringTests } from '../../../../../test/during-tests.ts';
import { type HealthCheck, HealthMonitor, type Part, parts } from '../../../src/observability/health.ts';
import { activeSpan } from '../../../src/observability/tracing/active-span.ts';
import type { Api } from '../../support/api.ts';
import { form, pdf } from '../../support/files.ts';
import { useMember, useTenant } from '../../support/use-people.ts';
import { startProxy } from '../../../../../test/proxy.ts';
import { startStubS3 } from '../../../../../test/storage/stub-s3.ts';
import { useCollector } from '../../support/collector.ts';
import { lockTable } from '../../support/race.ts';
import { createTracedLog, type TracedLine } from '../../support/traced-log.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const collector = useCollector();
const member = useMember(world, useTenant(world), 'tenant-admin');
const lines: TracedLine[] = [];

/** Starts a service with these settings, whose log the test can read. */
async function startTraced(more: Record<string, string> = {}) {
  const settings = { ...collector.settings, ...more };
  return world.another(settings, { log: createTracedLog(settings, lines) });
}

const api = duringTests(startTraced);
// Otherwise it would run jobs, without traces.
beforeAll(() => world.service.stop());
beforeEach(() => {
  lines.splice(0);
  collector.spans.splice(0);
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const get = (from: Api, headers: Record<string, string>) => from.call(world.global, 'GET /api/apps', undefined, headers);
const requestLine = async () => {
  await expect.poll(() => lines.filter(({ msg }) => msg === 'request')).toHaveLength(1);
  return lines.find(({ msg }) => msg === 'request');
};

test('the line of a failed job has the ids of the span of the run, which has failed with the code of the error', async () => {
  world.identity.faults.mail = 'refuse';
  await api.call(world.global, 'POST /api/users', world.newPerson());
  const job = () => collector.spans.find(({ name, status }) => name === 'password-mail' && status.code === 2);
  await expect.poll(job).toMatchObject({ attributes: { 'error.type': 'IDENTITY_PROVIDER_UNAVAILABLE' } });
  world.identity.faults.mail = 'none';
  const failed = () => lines.filter(({ msg }) => msg === 'job failed, will be retried');
  await expect.poll(failed).toMatchObject([{ trace_id: job()?.traceId, span_id: job()?.spanId }]);
});

test('a request continues the trace that its traceparent names', async () => {
  await get(api, { traceparent: `00-${traceId}-${parent}-01`, tracestate: 'vendor=value' });
  const request = await collector.trace('GET /api/apps');
  expect(request).toMatchObject({ traceId, parentSpanId: parent });
  expect(request).not.toHaveProperty('traceState');
  expect(request.children.every((span) => span.traceId === traceId)).toBe(true);
});

test.each([`00-${traceId}-${parent}`, `00-${'0'.repeat(32)}-${parent}-01`, `ff-${traceId}-${parent}-01`, 'traceparent'])(
  'a request with the invalid traceparent %s begins a trace',
  async (traceparent) => {
    await get(api, { traceparent });
    const request = await collector.trace('GET /api/apps');
    expect(request).not.toHaveProperty('parentSpanId');
    expect(request.traceId).not.toBe(traceId);
  },
);

test('a trace that the client does not sample is not exported, and its id is in the log', async () => {
  await get(api, { traceparent: `00-${traceId}-${parent}-00` });
  expect(await requestLine()).toMatchObject({ trace_id: traceId });
  await get(api, {});
  await collector.trace('GET /api/apps');
  expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
});

test('OTEL_TRACES_SAMPLER selects the requests without traceparent that are exported', async () => {
  const never = await startTraced({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
  await get(never, {});
  await get(never, { traceparent: `00-${traceId}-${parent}-01` });
  await collector.trace('GET /api/apps');
  expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
});

test('a line about a failed call during a request has the id of its trace', async () => {
  const broken = await startTraced({ STORAGE_DIR: '/nowhere/files' });
  await broken.call(member, 'POST /api/attachments', form(['file', pdf()]));
  const { trace_id: id } = (await requestLine()) ?? {};
  const { traceId: exported } = await collector.trace('POST /api/attachments');
  expect(id).toBe(exported);
  expect(lines.filter(({ msg }) => msg === 'the object storage failed')).toMatchObject([{ trace_id: exported }, { trace_id: exported }]);
});

test('requests to the identity provider and the storage do not carry the trace', async () => {
  const s3 = await startStubS3();
  const { STORAGE_ENDPOINT: endpoint = '', ...rest } = s3.settings;
  const received = ['', ''];
  const record = (index: number) => ({ watch: () => (data: Buffer) => void (received[index] += data.toString('latin1')) });
  const proxies = await Promise.all([startProxy(world.identity.url, record(0)), startProxy(endpoint, record(1))]);
  const [identity, storage] = proxies;
  const traced = await startTraced({ ...rest, STORAGE_DIR: '', STORAGE_ENDPOINT: storage.url, IDENTITY_INTERNAL_URL: identity.url });
  await traced.call(world.global, 'POST /api/users', world.newPerson());
  await traced.call(member, 'POST /api/attachments', form(['file', pdf()]));
  for (const requests of received) {
    expect(requests).toMatch(/^[A-Z]+ \/\S* HTTP\/1\.1\r\n/);
    expect(requests).not.toMatch(/traceparent/i);
  }
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await s3.stop();
});

// Timers and sockets that a request creates keep its span as the active one. Background work must not use it.
test('lines about lost database connections have no ids of the requests that opened them', async () => {
  const log = createTracedLog(collector.settings, lines, 'debug');
  const pooled = await world.another({ ...collector.settings, DATABASE_POOL_MAX: '10' }, { log, healthIntervalMs: 600_000 });
  const connections = async (condition: string) => {
    const ofService = "application_name = 'profile-service' and datname = current_database()";
    const found = await world.sql<{ pid: number }>(`select pid from pg_stat_activity where ${ofService} and ${condition}`);
    return found.map(({ pid }) => pid);
  };
  const before = await connections('true');
  const { waiting, end } = await lockTable(world, 'apps');
  // A caller may use half of the pool at once.
  const requests = Array.from({ length: 5 }, () => get(pooled, {}));
  await expect.poll(waiting).toBe(5);
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
  const health = new HealthMonitor(createTracedLog(collector.settings, lines, 'debug'));
  const checks = Object.fromEntries(parts.map((part) => [part, check])) as Record<Part, HealthCheck>;
  await health.start({ checks, hasKeys: () => true, intervalMs: 600_000 });
  const request = trace.wrapSpanContext({ traceId, spanId: parent, traceFlags: TraceFlags.SAMPLED });
  activeSpan.run(request, () => health.check('database'));
  const told = () => lines.filter(({ msg }) => msg === 'database is down');
  await expect.poll(told).toHaveLength(1);
  health.stop();
  expect(spans).toEqual(Array(parts.length + 1).fill(undefined));
  expect(told()[0]).not.toHaveProperty('trace_id');
});
