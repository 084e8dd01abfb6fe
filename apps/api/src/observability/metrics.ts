import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '@profile-service/db';
import type { RateLimitName } from '../limits/rate-limits.ts';

/** Prometheus metrics; their names are public. */
export interface Metrics {
  registry: Registry;
  request(operation: string, status: number, seconds: number): void;
  callerLookup(outcome: 'local' | 'shared' | 'miss'): void;
  /** A request (or a call of a batch) that was one too many. */
  rateLimited(limit: RateLimitName | 'tenant'): void;
  /** A call to the identity provider or the object storage. */
  dependencyRequest(part: 'identity' | 'storage', operation: string, ok: boolean, seconds: number): void;
  /** A round of the janitor: objects that it removed, attachments that have none. */
  storageCleaned(report: { removed: number; missing: readonly string[] }): void;
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A registry of its own for each service, so that two can live in one process. */
export function createMetrics({ pool }: Database): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'profile_request_duration_seconds',
    help: 'Requests by operation and status',
    labelNames: ['operation', 'status'],
    buckets,
    registers,
  });
  const lookups = new Counter({
    name: 'profile_caller_cache_lookups_total',
    help: 'Look-ups of callers: in this process, in the shared cache, or in neither',
    labelNames: ['outcome'],
    registers,
  });
  const rateLimited = new Counter({
    name: 'profile_rate_limited_total',
    help: 'Requests refused by a limit: of the address, of the caller, of what reaches the identity provider, or of what one tenant may hold at once',
    labelNames: ['limit'],
    registers,
  });
  const outside = new Histogram({
    name: 'profile_dependency_request_duration_seconds',
    help: 'Calls to the identity provider and the object storage',
    labelNames: ['part', 'operation', 'outcome'],
    buckets,
    registers,
  });
  const removed = new Counter({
    name: 'profile_storage_objects_removed_total',
    help: 'Objects without a live record that the janitor removed',
    registers,
  });
  const missing = new Gauge({
    name: 'profile_attachments_without_object',
    help: 'Live attachments whose object the janitor did not find at its last round',
    registers,
  });
  new Gauge({
    name: 'profile_database_pool_connections',
    help: 'Connections of the database pool by state, and requests that wait for one',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  return {
    registry,
    request: (operation, status, seconds) => requests.observe({ operation, status }, seconds),
    callerLookup: (outcome) => lookups.inc({ outcome }),
    rateLimited: (limit) => rateLimited.inc({ limit }),
    dependencyRequest: (part, operation, ok, seconds) => outside.observe({ part, operation, outcome: ok ? 'ok' : 'failed' }, seconds),
    storageCleaned(report) {
      removed.inc(report.removed);
      missing.set(report.missing.length);
    },
  };
}
