import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from './log.ts';

export const healthParts = ['database', 'identity', 'storage', 'cache'] as const;
export type HealthPart = (typeof healthParts)[number];

export interface HealthCheck {
  /** Rejects when the part is unavailable. */
  run: () => Promise<unknown>;
  /** One sentence for the operator: what is wrong and what to do. It never contains a secret. */
  explain: (error: unknown) => string;
}

export interface HealthReport {
  status: 'ok' | 'degraded' | 'down';
  checks: Record<HealthPart, 'ok' | 'down'>;
}

/** The health of the parts, as seen by the last background checks: reading it never waits for a part that hangs. */
export interface Health {
  report(): HealthReport;
  /** Why a part is down, for operators only. */
  reasons(): Partial<Record<HealthPart, string>>;
}

export interface HealthOptions {
  checks: Record<HealthPart, HealthCheck>;
  /** Whether each issuer's signing keys were fetched at least once: without them every request is rejected. */
  hasKeys: () => boolean;
  /** Time between two checks of a part. */
  intervalMs?: number | undefined;
}

const defaultIntervalMs = 5_000;
const timeoutMs = 4_000;

/**
 * Checks every part at the start, then every few seconds, and logs each fault once.
 * The service is `down` without the database or the signing keys. Any other fault makes it `degraded`: the load balancer
 * keeps the instance, because all instances share the part.
 */
export class HealthMonitor implements Health {
  readonly #log: Log;
  #options: HealthOptions | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #running = new Map<HealthPart, Promise<void>>();
  /** Reason by part that is down. */
  readonly #reasons = new Map<HealthPart, string>();
  /** Reasons logged since the part went down: a part may alternate between two faults. */
  readonly #logged = new Map<HealthPart, Set<string>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Checks every part once, then in the background until `stop`. */
  async start(options: HealthOptions): Promise<void> {
    this.#options = options;
    const checkAll = () => Promise.all(healthParts.map((part) => this.check(part)));
    await checkAll();
    if (this.#options) this.#timer = setInterval(() => void checkAll(), options.intervalMs ?? defaultIntervalMs);
  }

  /** Checks a part now, for example because a connection was lost. Does nothing before `start`. Never rejects. */
  check(part: HealthPart): Promise<void> {
    const check = this.#options?.checks[part];
    if (!check) return Promise.resolve();
    const running = this.#running.get(part) ?? this.#check(part, check).finally(() => this.#running.delete(part));
    this.#running.set(part, running);
    return running;
  }

  stop(): void {
    this.#options = undefined;
    clearInterval(this.#timer);
  }

  report(): HealthReport {
    const checks = Object.fromEntries(healthParts.map((part) => [part, this.#reasons.has(part) ? 'down' : 'ok'])) as HealthReport['checks'];
    const isDown = checks.database === 'down' || !this.#options?.hasKeys();
    return { status: isDown ? 'down' : this.#reasons.size > 0 ? 'degraded' : 'ok', checks };
  }

  reasons(): Partial<Record<HealthPart, string>> {
    return Object.fromEntries(this.#reasons);
  }

  async #check(part: HealthPart, { run, explain }: HealthCheck): Promise<void> {
    try {
      await withTimeout(run);
      this.#recordUp(part);
    } catch (error) {
      this.#recordDown(part, explain(error), error);
    }
  }

  #recordUp(part: HealthPart): void {
    if (!this.#options || !this.#reasons.delete(part)) return;
    this.#logged.delete(part);
    this.#log.info({ part }, `${part} is up again`);
  }

  #recordDown(part: HealthPart, reason: string, error: unknown): void {
    // Parts that fail because the service closes them are not faults.
    if (!this.#options) return;
    this.#reasons.set(part, reason);
    const logged = this.#logged.get(part) ?? new Set();
    this.#logged.set(part, logged);
    if (logged.has(reason)) return;
    logged.add(reason);
    this.#log.warn({ part, reason, cause: String(error) }, `${part} is down`);
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
