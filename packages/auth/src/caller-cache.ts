import { LRUCache } from 'lru-cache';
import type { Change } from '@profile-service/db';
import type { SharedCache } from './shared-cache.ts';

const rememberedSubjects = 10_000;
/** One subject with ever new tenant headers must not fill the memory. */
const contextsPerSubject = 32;

export interface CallerCacheOptions {
  ttlSeconds: number;
  shared?: SharedCache | undefined;
  onLookup?: (outcome: 'local' | 'shared' | 'miss') => void;
}

/**
 * What the store said of callers, under `user_auth:<sub>` with azp and X-Tenant-Id (specification part 5):
 * in this process, behind it in Redis where there is one. Changes are forgotten at once; without the channel
 * that reports the changes of other instances nothing is remembered.
 */
export class CallerCache {
  readonly #options: CallerCacheOptions;
  readonly #local: LRUCache<string, Map<string, unknown>>;
  #trusted = false;
  /** Grows with each change: what was loaded before a change is not remembered after it. */
  #generation = 0;

  constructor(options: CallerCacheOptions) {
    this.#options = options;
    this.#local = new LRUCache({ max: rememberedSubjects, ttl: options.ttlSeconds * 1000 });
  }

  /** Gives what is remembered, else what `load` gives. null is never remembered: who is unknown now may be created next. */
  async get<T extends object>(sub: string, context: string, load: () => Promise<T | null>): Promise<T | null> {
    const { shared, onLookup } = this.#options;
    if (!this.#trusted) return load();
    const local = this.#local.get(sub)?.get(context);
    if (local !== undefined) {
      onLookup?.('local');
      return local as T;
    }
    const generation = this.#generation;
    const seen = await shared?.read(sub, context);
    const value = seen?.value !== undefined ? (seen.value as T) : await load();
    onLookup?.(seen?.value !== undefined ? 'shared' : 'miss');
    if (value === null) return null;
    if (generation === this.#generation) this.#remember(sub, context, value);
    if (seen && seen.value === undefined) await shared?.write(sub, context, seen.version, value);
    return value;
  }

  /** Forgets what a change made untrue, here and in the shared cache. */
  async forget(change: Change): Promise<void> {
    this.#generation += 1;
    if (change.all) this.#local.clear();
    for (const sub of change.sub ?? []) this.#local.delete(sub);
    await this.#options.shared?.forget(change);
  }

  /** Told whether the changes of other instances arrive. */
  trust(trusted: boolean): void {
    this.#trusted = trusted;
    this.#generation += 1;
    this.#local.clear();
  }

  #remember(sub: string, context: string, value: unknown): void {
    const contexts = this.#local.get(sub) ?? new Map<string, unknown>();
    if (contexts.size >= contextsPerSubject) contexts.clear();
    contexts.set(context, value);
    // A later context expires with the first one: earlier than it must, never later.
    if (!this.#local.has(sub)) this.#local.set(sub, contexts);
  }
}
