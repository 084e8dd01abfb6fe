import type { Sent } from './sent.ts';

/** Counts of requests and responses. */
export class Statistics {
  requests = 0;
  readonly #byCaller = new Map<string, number>();
  readonly #byStatus = new Map<number, number>();
  /** Endpoint → successful responses. */
  readonly successes = new Map<string, number>();

  count({ named, caller }: Sent, status: number): void {
    this.requests += 1;
    increase(this.#byCaller, caller.name);
    increase(this.#byStatus, status);
    if (status < 300) increase(this.successes, named.name);
  }

  /** `global 12, nobody 3` */
  callers(): string {
    return listed(this.#byCaller);
  }

  statuses(): string {
    return listed(this.#byStatus);
  }
}

const increase = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
const listed = (counts: Map<string | number, number>): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
