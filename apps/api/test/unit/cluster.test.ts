import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { combineHealth } from '../../src/cluster/health.ts';
import type { ProcessMetrics } from '../../src/cluster/messages.ts';
import { ClusterMetrics } from '../../src/cluster/metrics.ts';
import { createHealthMetrics } from '../../src/observability/health-metrics.ts';
import type { DetailedHealthReport } from '../../src/observability/health.ts';
import { createReplicaMetrics } from '../../src/observability/replica-metrics.ts';

const up = { database: 'ok', identity: 'ok', storage: 'ok', cache: 'ok' } as const;

describe('the health of a cluster', () => {
  const ok: DetailedHealthReport = { status: 'ok', checks: up, reasons: {} };
  const degraded: DetailedHealthReport = { status: 'degraded', checks: { ...up, cache: 'down' }, reasons: { cache: 'No Redis.' } };
  const down: DetailedHealthReport = { status: 'down', checks: { ...up, database: 'down' }, reasons: { database: 'No database.' } };

  test.each<[string, (DetailedHealthReport | undefined)[], DetailedHealthReport]>([
    ['ok if every process is', [ok, ok], ok],
    ['degraded if one process is', [ok, degraded], degraded],
    [
      'down if one process is, with the reasons of all',
      [degraded, down],
      { status: 'down', checks: { ...up, database: 'down', cache: 'down' }, reasons: { cache: 'No Redis.', database: 'No database.' } },
    ],
    ['down if one process does not respond', [ok, undefined], { ...ok, status: 'down' }],
    [
      'down without a process',
      [],
      { status: 'down', checks: { database: 'down', identity: 'down', storage: 'down', cache: 'down' }, reasons: {} },
    ],
  ])('is %s', (_case, reports, expected) => {
    expect(combineHealth(reports)).toEqual(expected);
  });
});

describe('the metrics of a cluster', () => {
  /** The metrics of a process that has counted this number of requests, and has this number of connections. */
  async function processWith(requests: number, connections: number): Promise<ProcessMetrics> {
    const registry = new Registry();
    const registers = [registry];
    const labelNames = ['operation'];
    const counter = new Counter({ name: 'requests_total', help: 'Requests', labelNames, registers });
    const histogram = new Histogram({ name: 'request_seconds', help: 'Duration', labelNames, buckets: [1], registers });
    new Gauge({ name: 'connections', help: 'Connections', registers }).set(connections);
    for (let sent = 0; sent < requests; sent += 1) {
      counter.inc({ operation: 'read' });
      histogram.observe({ operation: 'read' }, 2);
    }
    return registry.getMetricsAsJSON();
  }
  const shown = async (registry: Registry, name: RegExp) => (await registry.metrics()).split('\n').filter((line) => name.test(line));

  test('are sums. What ended processes had counted stays, and so does what a process that does not respond had counted', async () => {
    const metrics = new ClusterMetrics();
    await metrics.sum(
      new Map([
        [1, await processWith(2, 5)],
        [2, await processWith(3, 7)],
      ]),
    );
    metrics.end(1);
    const sum = await metrics.sum(
      new Map([
        [2, undefined],
        [3, await processWith(4, 1)],
      ]),
    );
    expect(await shown(sum, /^(requests|request|connections)/)).toEqual([
      'requests_total{operation="read"} 9',
      'request_seconds_bucket{le="1",operation="read"} 0',
      'request_seconds_bucket{le="+Inf",operation="read"} 9',
      'request_seconds_sum{operation="read"} 18',
      'request_seconds_count{operation="read"} 9',
      'connections 8',
    ]);
  });

  const processThatIs = async (status: 'ok' | 'down') => {
    const registry = new Registry();
    createHealthMetrics(registry, {
      detailedReport: () => ({ status, checks: up, reasons: status === 'ok' ? {} : { database: 'No database.' } }),
    });
    return registry.getMetricsAsJSON();
  };

  test('say that the service is ready only if every process is', async () => {
    const processes = [await processThatIs('ok'), await processThatIs('down'), await processThatIs('ok')];
    const combined = await new ClusterMetrics().sum(new Map(processes.entries()));
    expect(await shown(combined, /^profile_ready|check="(database|cache)"/)).toEqual([
      'profile_ready 0',
      'profile_health_check_up{check="database"} 0',
      'profile_health_check_up{check="cache"} 1',
    ]);
  });

  test('say that the service is not ready if a process does not respond, or none listens, as /health/ready does', async () => {
    const metrics = new ClusterMetrics();
    const ready = async (workers: ReadonlyMap<number, ProcessMetrics | undefined>) => shown(await metrics.sum(workers), /^profile_ready/);
    expect(await ready(new Map([[1, await processThatIs('ok')]]))).toEqual(['profile_ready 1']);
    expect(await ready(new Map([[1, undefined]]))).toEqual(['profile_ready 0']);
    expect(await ready(new Map())).toEqual(['profile_ready 0']);
  });

  test.each([
    ['the largest of all processes', [5, 9_000, 7], '9000'],
    ['NaN if a process cannot compare the replica', [5, undefined, 7], 'Nan'],
  ])('have a lag of the replica that is %s', async (_case, lags, expected) => {
    const processes = lags.map((lagBytes) => {
      const registry = new Registry();
      createReplicaMetrics(registry, { lagBytes });
      return registry.getMetricsAsJSON();
    });
    const combined = await new ClusterMetrics().sum(new Map((await Promise.all(processes)).entries()));
    expect(await shown(combined, /^profile_replica_lag_bytes/)).toEqual([`profile_replica_lag_bytes ${expected}`]);
  });

  test('have the event loop lag of the slowest process', async () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const worker = await registry.getMetricsAsJSON();
    const withLag = (seconds: number) =>
      worker.map((metric) =>
        metric.name.startsWith('nodejs_eventloop_lag_') ? { ...metric, values: [{ value: seconds, labels: {} }] } : metric,
      );
    const combined = await new ClusterMetrics().sum(new Map([withLag(0.01), withLag(0.4), withLag(0.02)].entries()));
    expect((await shown(combined, /^nodejs_eventloop_lag_/)).toSorted()).toEqual([
      'nodejs_eventloop_lag_max_seconds 0.4',
      'nodejs_eventloop_lag_mean_seconds 0.4',
      'nodejs_eventloop_lag_min_seconds 0.01',
      'nodejs_eventloop_lag_p50_seconds 0.4',
      'nodejs_eventloop_lag_p90_seconds 0.4',
      'nodejs_eventloop_lag_p99_seconds 0.4',
      'nodejs_eventloop_lag_seconds 0.4',
      'nodejs_eventloop_lag_stddev_seconds 0.4',
    ]);
  });

  test('have the start time of the primary process, whether or not workers respond', async () => {
    const metrics = new ClusterMetrics();
    const [own, worker] = [new Registry(), new Registry()];
    collectDefaultMetrics({ register: own });
    new Gauge({ name: 'process_start_time_seconds', help: 'Start time', aggregator: 'omit', registers: [worker] }).set(4_000_000_000);
    const startTime = (registry: Registry) => shown(registry, /^process_start_time_seconds/);
    const workers = new Map([[1, await worker.getMetricsAsJSON()]]);
    for (const each of [workers, new Map([[1, undefined]]), new Map()]) {
      expect(await startTime(await metrics.sum(each))).toEqual(await startTime(own));
    }
  });

  test('count the processes that have ended', async () => {
    const metrics = new ClusterMetrics();
    metrics.end(1);
    metrics.end(2);
    expect(await shown(await metrics.sum(new Map()), /^profile_worker_exits_total/)).toEqual(['profile_worker_exits_total 2']);
  });

  test('include the CPU time and memory of the primary process, but not its event loop', async () => {
    const sum = await new ClusterMetrics().sum(new Map());
    expect(await shown(sum, /^(process_cpu_seconds_total|process_resident_memory_bytes) [\d.]+$/)).toHaveLength(2);
    expect(await shown(sum, /^nodejs_/)).toEqual([]);
  });
});
