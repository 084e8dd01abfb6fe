import { setTimeout as pause } from 'node:timers/promises';
import { isProgrammingError } from '@profile-service/auth';
import type { Log } from './log.ts';
import { withoutSpan } from './tracing/active-span.ts';

export const dependencies = ['database', 'identity', 'storage', 'cache'] as const;
export type Dependency = (typeof dependencies)[number];

/** What is checked: the dependencies, and what an operator must repair before it becomes an outage. Only dependencies are in the `checks` of a report. */
export const parts = [...dependencies, 'auditPartitions'] as const;
export type Part = (typeof parts)[number];

/** How a part is checked. */
export interface HealthCheck {
  /** Rejects if the part does not work. */
  run: () => Promise<unknown>;
  /** What is wrong and what to do, for the operator. Never contains a secret. Null if the error says nothing about the part, whose state then stays. */
  explain: (error: unknown) => string | null;
  /** What the log says when the part stops working, and when it works again. */
  messages: { down: string; up: string };
}

/** The body of `/health/ready`. */
export interface HealthReport {
  status: 'ok' | 'degraded' | 'down';
  checks: Record<Dependency, 'ok' | 'down'>;
}

/** The body of `/health/ready` on the management port. */
export interface DetailedHealthReport extends HealthReport {
  /** Why parts do not work, why the read replica is not used, and whether the instance is stopping, for operators only. */
  reasons: Partial<Record<Part | 'replica' | 'stop', string>>;
}

/** The results of the last background checks. Reading them never waits for a dependency. */
export interface Health {
  report(): HealthReport;
  detailedReport(): DetailedHealthReport;
}

export interface HealthOptions {
  checks: Record<Part, HealthCheck>;
  /** Whether each issuer's signing keys were fetched at least once: without them every request is rejected. */
  hasKeys: () => boolean;
  /** Returns why the read replica is not used. It does not change the status, because the primary serves every request. */
  replicaReasons?: (() => { replica?: string }) | undefined;
  /** Time between two checks of a part, in milliseconds; default 5,000. */
  intervalMs?: number | undefined;
}

/** The reason after a bug in a check: the part itself may work. */
const failedCheck = 'The check itself failed, because of a bug in the service: report the cause in the log.';
const defaultIntervalMs = 5_000;
/** Time limit of one check, in milliseconds. */
const timeoutMs = 4_000;

/**
 * Checks every part at the start, then every 5 seconds, and logs each reason of an outage once.
 * The service is `down` without the database or the signing keys, and while it stops. Any other failed check makes it `degraded`: the load balancer
 * must keep the instance, because all instances share the part. Rules: HEALTH-2 to HEALTH-5, HEALTH-7, D-62.
 */
export class HealthMonitor implements Health {
  readonly #log: Log;
  #options: HealthOptions | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #running = new Map<Part, Promise<void>>();
  /** Why the last check of a part failed. */
  readonly #reasons = new Map<Part, string>();
  /** Reasons logged since the part went down: it may alternate between two reasons. */
  readonly #logged = new Map<Part, Set<string>>();
  #isStopping = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Checks every part once, then in the background until `stop`. */
  async start(options: HealthOptions): Promise<void> {
    this.#options = options;
    await Promise.all(parts.map((part) => this.#checkNow(part)));
    const checkAll = () => parts.forEach((part) => this.check(part));
    if (this.#options) this.#timer = setInterval(checkAll, options.intervalMs ?? defaultIntervalMs);
  }

  /** Checks a part in the background, for example because a connection was lost. Does nothing before `start`. */
  check(part: Part): void {
    this.#checkNow(part).catch((error: unknown) => this.#log.error({ part, err: error }, 'a health check has no result'));
  }

  /** Rejects only if the result cannot be recorded. */
  #checkNow(part: Part): Promise<void> {
    const check = this.#options?.checks[part];
    if (!check) return Promise.resolve();
    const running = this.#running.get(part) ?? withoutSpan(() => this.#check(part, check)).finally(() => this.#running.delete(part));
    this.#running.set(part, running);
    return running;
  }

  /** Makes the instance not ready, so that the platform sends it no more requests. */
  announceStop(): void {
    this.#isStopping = true;
  }

  stop(): void {
    this.#options = undefined;
    clearInterval(this.#timer);
  }

  report(): HealthReport {
    const checks = Object.fromEntries(
      dependencies.map((dependency) => [dependency, this.#reasons.has(dependency) ? 'down' : 'ok']),
    ) as HealthReport['checks'];
    const isDown = this.#isStopping || checks.database === 'down' || !this.#options?.hasKeys();
    return { status: isDown ? 'down' : this.#reasons.size > 0 ? 'degraded' : 'ok', checks };
  }

  detailedReport(): DetailedHealthReport {
    const stop = this.#isStopping ? { stop: 'The instance is stopping.' } : {};
    return { ...this.report(), reasons: { ...Object.fromEntries(this.#reasons), ...this.#options?.replicaReasons?.(), ...stop } };
  }

  async #check(part: Part, { run, explain }: HealthCheck): Promise<void> {
    try {
      await withTimeout(run);
      this.#recordUp(part);
    } catch (error) {
      const reason = isProgrammingError(error) ? failedCheck : explain(error);
      if (reason !== null) this.#recordDown(part, reason, error);
    }
  }

  #recordUp(part: Part): void {
    if (!this.#options || !this.#reasons.delete(part)) return;
    this.#logged.delete(part);
    this.#log.info({ part }, this.#options.checks[part].messages.up);
  }

  #recordDown(part: Part, reason: string, error: unknown): void {
    // After `stop`, a check may fail because the service has closed its connections.
    if (!this.#options) return;
    this.#reasons.set(part, reason);
    const logged = this.#logged.get(part) ?? new Set();
    this.#logged.set(part, logged);
    if (logged.has(reason)) return;
    logged.add(reason);
    this.#log.warn({ part, reason, cause: String(error) }, this.#options.checks[part].messages.down);
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
