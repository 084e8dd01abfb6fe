import { LRUCache } from 'lru-cache';
import type { CallerInvalidation } from '@profile-service/db';
import type { Entry, SharedCache } from './shared-cache.ts';

const rememberedSubjects = 10_000;
/** One subject with many tenants and clients must not fill the memory. */
const contextsPerSubject = 32;

export interface CallerCacheOptions {
  ttlSeconds: number;
  /** Whether the changes of other instances arrive: while they don't, nothing remembered is used. */
  trusted: () => boolean;
  shared?: SharedCache | undefined;
  onLookup?: (outcome: 'local' | 'shared' | 'miss') => void;
}

/**
 * What the store said of callers, under `user_auth:<sub>` with azp and X-Tenant-Id (specification part 5):
 * in this process, behind it in Redis where there is one. Changes are forgotten at once.
 */
export class CallerCache {
  readonly #options: CallerCacheOptions;
  readonly #local = new LRUCache<string, Map<string, Entry>>({ max: rememberedSubjects });
  /** Begun since the last change: one frontend sends many requests at once. */
  readonly #loads = new Map<string, Promise<unknown>>();
  /** Grows with each change: what was loaded before a change is not remembered after it. */
  #generation = 0;

  constructor(options: CallerCacheOptions) {
    this.#options = options;
  }

  /**
   * Gives what is remembered, else what `load` gives. null is never remembered: who is unknown now may be created next.
   * @param lasting whether a value is worth remembering; each is, unless told
   */
  async get<T extends object>(
    sub: string,
    context: string,
    load: () => Promise<T | null>,
    lasting: (value: T) => boolean = () => true,
  ): Promise<T | null> {
    const { trusted, onLookup } = this.#options;
    if (!trusted()) {
      onLookup?.('miss');
      return load();
    }
    const entry = this.#local.get(sub)?.get(context);
    if (entry && Date.now() < entry.until) {
      onLookup?.('local');
      return entry.value as T;
    }
    const key = JSON.stringify([sub, context]);
    const underWay = this.#loads.get(key);
    if (underWay) {
      onLookup?.('local');
      return underWay as Promise<T | null>;
    }
    const loading = this.#load(sub, context, load, lasting).finally(() => {
      if (this.#loads.get(key) === loading) this.#loads.delete(key);
    });
    this.#loads.set(key, loading);
    return loading;
  }

  /** Forgets what a change made untrue, here and in the shared cache. */
  async invalidate(invalidation: CallerInvalidation): Promise<void> {
    this.#generation += 1;
    this.#loads.clear();
    if (invalidation.all) this.#local.clear();
    for (const sub of invalidation.sub ?? []) this.#local.delete(sub);
    await this.#options.shared?.invalidate(invalidation);
  }

  async #load<T extends object>(sub: string, context: string, load: () => Promise<T | null>, lasting: (value: T) => boolean) {
    const { shared, ttlSeconds, onLookup } = this.#options;
    const generation = this.#generation;
    const seen = await shared?.read(sub, context);
    onLookup?.(seen?.entry ? 'shared' : 'miss');
    const until = Date.now() + ttlSeconds * 1000;
    const value = seen?.entry ? (seen.entry.value as T) : await load();
    if (value === null || !lasting(value)) return value;
    // What comes from the shared cache grows no older here than it would there.
    const entry = { value, until: Math.min(until, seen?.entry?.until ?? until) };
    if (generation === this.#generation) this.#remember(sub, context, entry);
    if (seen && !seen.entry) await shared?.write(sub, context, seen.version, entry);
    return value;
  }

  #remember(sub: string, context: string, entry: Entry): void {
    const contexts = this.#local.get(sub) ?? new Map<string, Entry>();
    if (contexts.size >= contextsPerSubject) contexts.clear();
    this.#local.set(sub, contexts.set(context, entry));
  }
}
