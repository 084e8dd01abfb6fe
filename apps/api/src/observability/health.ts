import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from './log.ts';

export const dependencies = ['database', 'identity', 'storage', 'cache'] as const;
export type Dependency = (typeof dependencies)[number];

/** How a dependency is checked. */
export interface HealthCheck {
  /** Rejects if the dependency is unavailable. */
  run: () => Promise<unknown>;
  /** One sentence for the operator: what is wrong and what to do. It never contains a secret. */
  explain: (error: unknown) => string;
}

/** The body of `/health/ready`. */
export interface HealthReport {
  status: 'ok' | 'degraded' | 'down';
  checks: Record<Dependency, 'ok' | 'down'>;
}

/** The body of `/health/ready` on the management port. */
export interface DetailedHealthReport extends HealthReport {
  /** Why dependencies are down, and why the read replica is not used, for operators only. */
  reasons: Partial<Record<Dependency | 'replica', string>>;
}

/** The results of the last background checks. Reading them never waits for a dependency. */
export interface Health {
  report(): HealthReport;
  detailedReport(): DetailedHealthReport;
}

export interface HealthOptions {
  checks: Record<Dependency, HealthCheck>;
  /** Whether each issuer's signing keys were fetched at least once: without them every request is rejected. */
  hasKeys: () => boolean;
  /** Returns why the read replica is not used. It does not change the status, because the primary serves every request. */
  replicaReasons?: (() => { replica?: string }) | undefined;
  /** Time between two checks of a dependency, in milliseconds; default 5,000. */
  intervalMs?: number | undefined;
}

const defaultIntervalMs = 5_000;
/** Time limit of one check, in milliseconds. */
const timeoutMs = 4_000;

/**
 * Checks every dependency at the start, then every 5 seconds, and logs each reason of an outage once.
 * The service is `down` without the database or the signing keys. Any other outage makes it `degraded`: the load balancer
 * must keep the instance, because all instances share the dependency. Rules: HEALTH-2 to HEALTH-5, D-62.
 */
export class HealthMonitor implements Health {
  readonly #log: Log;
  #options: HealthOptions | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #running = new Map<Dependency, Promise<void>>();
  /** Why each dependency that is down is unavailable. */
  readonly #reasons = new Map<Dependency, string>();
  /** Reasons logged since the dependency went down: it may alternate between two reasons. */
  readonly #logged = new Map<Dependency, Set<string>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Checks every dependency once, then in the background until `stop`. */
  async start(options: HealthOptions): Promise<void> {
    this.#options = options;
    const checkAll = () => Promise.all(dependencies.map((dependency) => this.check(dependency)));
    await checkAll();
    if (this.#options) this.#timer = setInterval(() => void checkAll(), options.intervalMs ?? defaultIntervalMs);
  }

  /** Checks a dependency now, for example because a connection was lost. Does nothing before `start`. Never rejects. */
  check(dependency: Dependency): Promise<void> {
    const check = this.#options?.checks[dependency];
    if (!check) return Promise.resolve();
    const running = this.#running.get(dependency) ?? this.#check(dependency, check).finally(() => this.#running.delete(dependency));
    this.#running.set(dependency, running);
    return running;
  }

  stop(): void {
    this.#options = undefined;
    clearInterval(this.#timer);
  }

  report(): HealthReport {
    const checks = Object.fromEntries(
      dependencies.map((dependency) => [dependency, this.#reasons.has(dependency) ? 'down' : 'ok']),
    ) as HealthReport['checks'];
    const isDown = checks.database === 'down' || !this.#options?.hasKeys();
    return { status: isDown ? 'down' : this.#reasons.size > 0 ? 'degraded' : 'ok', checks };
  }

  detailedReport(): DetailedHealthReport {
    return { ...this.report(), reasons: { ...Object.fromEntries(this.#reasons), ...this.#options?.replicaReasons?.() } };
  }

  async #check(dependency: Dependency, { run, explain }: HealthCheck): Promise<void> {
    try {
      await withTimeout(run);
      this.#recordUp(dependency);
    } catch (error) {
      this.#recordDown(dependency, explain(error), error);
    }
  }

  #recordUp(dependency: Dependency): void {
    if (!this.#options || !this.#reasons.delete(dependency)) return;
    this.#logged.delete(dependency);
    this.#log.info({ part: dependency }, `${dependency} is up again`);
  }

  #recordDown(dependency: Dependency, reason: string, error: unknown): void {
    // After `stop`, a check may fail because the service has closed its connections.
    if (!this.#options) return;
    this.#reasons.set(dependency, reason);
    const logged = this.#logged.get(dependency) ?? new Set();
    this.#logged.set(dependency, logged);
    if (logged.has(reason)) return;
    logged.add(reason);
    this.#log.warn({ part: dependency, reason, cause: String(error) }, `${dependency} is down`);
  }
}

async function withTimeout(run: () => Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const timeout = pause(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`No response: timeout after ${timeoutMs} ms`);
  });
  try {
    await Promise.race([run(), timeout]);
  } finally {
    timer.abort();
  }
}
