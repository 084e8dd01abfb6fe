import { type Aggregator, AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { ProcessMetrics } from './messages.ts';

/**
 * Aggregators that differ from those of prom-client. An average of event loop lags would hide one blocked process. The metrics of the primary process come
 * first: its start time is that of the instance.
 */
const aggregators: readonly (readonly [metric: RegExp, Aggregator])[] = [
  [/^nodejs_eventloop_lag_(?!min_)/, 'max'],
  [/^process_start_time_seconds$/, 'first'],
];

const withAggregators = (metrics: ProcessMetrics): ProcessMetrics =>
  metrics.map((metric) => ({ ...metric, aggregator: aggregators.find(([name]) => name.test(metric.name))?.[1] ?? metric.aggregator }));

/**
 * Adds up the metrics of all processes. Counters and histograms of ended workers stay in the sum, because a counter must not decrease.
 * A metric's `aggregator` says how its values are combined; the default is the sum.
 */
export class ClusterMetrics {
  /** Metrics of the primary process. */
  readonly #own = new Registry();
  readonly #exits = new Counter({ name: 'profile_worker_exits_total', help: 'Worker processes that have ended', registers: [this.#own] });
  readonly #ready = new Gauge({
    name: 'profile_ready',
    help: '1 if the instance can serve requests, as /health/ready says, otherwise 0',
    aggregator: 'min',
    registers: [this.#own],
  });
  readonly #latest = new Map<number, ProcessMetrics>();
  /** Counters and histograms of all ended workers. */
  #ended: Promise<ProcessMetrics> = Promise.resolve([]);

  constructor() {
    collectDefaultMetrics({ register: this.#own });
  }

  /** @param workers the current metrics by worker id; undefined for a worker that does not respond, which counts with its latest metrics */
  async sum(workers: ReadonlyMap<number, ProcessMetrics | undefined>): Promise<Registry> {
    for (const [id, metrics] of workers) if (metrics) this.#latest.set(id, metrics);
    const running = [...workers.keys()].map((id) => this.#latest.get(id) ?? []);
    // As `combineHealth` says, the latest metrics of a worker do not prove that it is ready.
    this.#ready.set(workers.size > 0 && [...workers.values()].every(Boolean) ? 1 : 0);
    // The delays of the event loop matter in the processes that serve requests. CPU time and memory count in all.
    const own = (await this.#own.getMetricsAsJSON()).filter(({ name }) => /^(process|profile)_/.test(name));
    return AggregatorRegistry.aggregate([own, ...running, await this.#ended].map(withAggregators));
  }

  /** Counts a worker that has ended, and keeps what it had counted at the latest scrape. */
  end(id: number): void {
    this.#exits.inc();
    const counted = this.#latest.get(id)?.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
    this.#latest.delete(id);
    if (!counted) return;
    this.#ended = this.#ended.then((ended) => AggregatorRegistry.aggregate([ended, counted]).getMetricsAsJSON());
    // `sum` reports the failure.
    this.#ended.catch(() => undefined);
  }
}
