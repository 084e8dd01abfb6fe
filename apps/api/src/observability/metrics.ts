import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '@profile-service/db';

/** Prometheus metrics. Their names are public: document a change in the changelog. */
export interface Metrics {
  registry: Registry;
  request(operation: string, status: number, seconds: number): void;
  callerLookup(outcome: 'local' | 'shared' | 'miss'): void;
  /** Counts a request, or a call of a batch, that a limit has rejected. @param limit name of the rate limit, or `tenant` for a concurrency limit */
  rateLimited(limit: string): void;
  /** Counts a request, or a call of a batch, that is rejected because the service is overloaded. */
  overloaded(): void;
  /** Records how long a request has waited for a database slot. A request that did not wait is not recorded. */
  waited(seconds: number): void;
  /** @param length returns the number of requests that wait for a database slot */
  observeQueue(length: () => number): void;
  /** @param open returns the number of open event streams */
  observeStreams(open: () => number): void;
  /** Records a request to the identity provider or the object storage. */
  dependencyRequest(dependency: 'identity' | 'storage', operation: string, ok: boolean, seconds: number): void;
  /** Records a run of the storage clean-up: the number of deleted objects, and attachments whose object is missing. */
  storageCleaned(report: { removed: number; missing: { count: number } }): void;
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the metrics in a registry of their own, so that several services can run in one process. */
export function createMetrics({ pool }: Database): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'profile_request_duration_seconds',
    help: 'Duration of requests that reach an operation, by operation and status',
    labelNames: ['operation', 'status'],
    buckets,
    registers,
  });
  // Looking up the labels takes longer than all else about a cached caller.
  const callerLookups = { local: 0, shared: 0, miss: 0 };
  new Counter({
    name: 'profile_caller_cache_lookups_total',
    help: 'Caller look-ups by outcome: found in this process (local), found in Redis (shared), or read from the database (miss)',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(callerLookups)) if (count > 0) this.inc({ outcome }, count);
    },
  });
  const rateLimited = new Counter({
    name: 'profile_rate_limited_total',
    help: 'Requests rejected by a limit: rate limit of an address, of a caller, or of requests to the identity provider; concurrency limit of a tenant',
    labelNames: ['limit'],
    registers,
  });
  const shed = new Counter({
    name: 'profile_requests_shed_total',
    help: 'Requests rejected with 503 because too many requests wait for a database slot',
    registers,
  });
  const waits = new Histogram({
    name: 'profile_request_queue_wait_seconds',
    help: 'How long requests have waited for a database slot; requests that did not wait are not counted',
    buckets,
    registers,
  });
  const dependencyRequests = new Histogram({
    name: 'profile_dependency_request_duration_seconds',
    help: 'Duration of requests to the identity provider and the object storage',
    labelNames: ['dependency', 'operation', 'outcome'],
    buckets,
    registers,
  });
  const removed = new Counter({
    name: 'profile_storage_objects_removed_total',
    help: 'Objects without a live attachment that the storage clean-up deleted',
    registers,
  });
  const missing = new Gauge({
    name: 'profile_attachments_without_object',
    help: 'Live attachments whose object the last storage clean-up did not find',
    registers,
  });
  new Gauge({
    name: 'profile_database_pool_connections',
    help: 'Connections of the database pool by state',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'profile_database_pool_waiting_requests',
    help: 'Requests that wait for a connection of the database pool',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
  return {
    registry,
    request: (operation, status, seconds) => requests.observe({ operation, status }, seconds),
    callerLookup: (outcome) => void (callerLookups[outcome] += 1),
    rateLimited: (limit) => rateLimited.inc({ limit }),
    overloaded: () => shed.inc(),
    waited: (seconds) => waits.observe(seconds),
    observeQueue(length) {
      new Gauge({
        name: 'profile_request_queue_length',
        help: 'Requests that wait for a database slot',
        registers,
        collect() {
          this.set(length());
        },
      });
    },
    observeStreams(open) {
      new Gauge({
        name: 'profile_event_streams',
        help: 'Open event streams',
        registers,
        collect() {
          this.set(open());
        },
      });
    },
    dependencyRequest: (dependency, operation, ok, seconds) =>
      dependencyRequests.observe({ dependency, operation, outcome: ok ? 'ok' : 'failed' }, seconds),
    storageCleaned(report) {
      removed.inc(report.removed);
      missing.set(report.missing.count);
    },
  };
}
