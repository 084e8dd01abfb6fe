import { LRUCache } from 'lru-cache';
import type { CallerInvalidation } from '@profile-service/db';
import { type CacheEntry, type CacheKey, isCurrent } from './cache-entry.ts';
import type { SharedCache } from './shared-cache.ts';

const maxSubjects = 10_000;
/** Limits the memory that one subject with many tenants and clients can use. */
const maxContextsPerSubject = 32;
/** How long a rejection is cached, in milliseconds. */
const rejectionMs = 5_000;

export interface CallerCacheOptions {
  ttlSeconds: number;
  /** Whether invalidations of other instances arrive. While they do not, the cache is not used. */
  trusted: () => boolean;
  shared?: SharedCache | undefined;
  onLookup?: (outcome: 'local' | 'shared' | 'miss') => void;
}

interface LocalEntry extends CacheEntry {
  readonly clientId: string | undefined;
}

type Contexts = Map<string, LocalEntry>;

/**
 * Caches callers as the database has them, by subject, azp and X-Tenant-Id: in this process, and in Redis as a second level.
 * Rejections (unknown callers, tenants that a user does not belong to) are cached for 5 seconds, in this process only.
 */
export class CallerCache {
  readonly #options: CallerCacheOptions;
  readonly #callers = new LRUCache<string, Contexts>({ max: maxSubjects });
  readonly #rejections = new LRUCache<string, Contexts>({ max: maxSubjects });
  /** Running loads that began after the last invalidation. Requests at the same time share one load. */
  readonly #loads = new Map<string, Promise<unknown>>();
  /** Incremented by each invalidation: a value that was loaded before an invalidation is not cached after it. */
  #generation = 0;

  constructor(options: CallerCacheOptions) {
    this.#options = options;
  }

  /**
   * Returns the cached value, or the one that `load` returns. A cached value is returned at once, without a promise.
   * @param isRejection whether a value is a rejection; null always is one
   */
  get<T extends object>(
    key: CacheKey,
    load: () => Promise<T | null>,
    isRejection: (value: T) => boolean = () => false,
  ): T | null | Promise<T | null> {
    const { trusted, onLookup } = this.#options;
    if (!trusted()) {
      onLookup?.('miss');
      return load();
    }
    const entry = this.#find(key);
    if (entry) {
      onLookup?.('local');
      return entry.value as T | null;
    }
    const loadKey = JSON.stringify([key.sub, key.context]);
    const pending = this.#loads.get(loadKey);
    if (pending) {
      onLookup?.('local');
      return pending as Promise<T | null>;
    }
    const loading = this.#load(key, load, isRejection).finally(() => {
      if (this.#loads.get(loadKey) === loading) this.#loads.delete(loadKey);
    });
    this.#loads.set(loadKey, loading);
    return loading;
  }

  /** Removes the entries that an invalidation names, here and in the shared cache. */
  async invalidate(invalidation: CallerInvalidation): Promise<void> {
    this.#generation += 1;
    this.#loads.clear();
    for (const store of [this.#callers, this.#rejections]) {
      if (invalidation.all) store.clear();
      for (const sub of invalidation.sub ?? []) store.delete(sub);
      if (invalidation.clientId) removeClients(store, new Set(invalidation.clientId));
    }
    await this.#options.shared?.invalidate(invalidation);
  }

  #find({ sub, context, unknownContext }: CacheKey): CacheEntry | undefined {
    const now = Date.now();
    const caller = this.#callers.get(sub)?.get(context);
    if (caller && isCurrent(caller, this.#options.ttlSeconds * 1000, now)) return caller;
    const rejections = this.#rejections.get(sub);
    return [rejections?.get(context), rejections?.get(unknownContext)].find((entry) => entry && isCurrent(entry, rejectionMs, now));
  }

  async #load<T extends object>(key: CacheKey, load: () => Promise<T | null>, isRejection: (value: T) => boolean): Promise<T | null> {
    const { shared, ttlSeconds, onLookup } = this.#options;
    const { sub, context, unknownContext, clientId } = key;
    const generation = this.#generation;
    const seen = await shared?.read(key);
    onLookup?.(seen?.entry ? 'shared' : 'miss');
    const until = Date.now() + ttlSeconds * 1000;
    const value = seen?.entry ? (seen.entry.value as T) : await load();
    const remember = (store: LRUCache<string, Contexts>, name: string, entry: CacheEntry) => {
      if (generation === this.#generation) put(store, sub, name, { ...entry, clientId });
    };
    if (value === null || isRejection(value)) {
      remember(this.#rejections, value === null ? unknownContext : context, { value, until: Date.now() + rejectionMs });
      return value;
    }
    // An entry of the shared cache keeps its age.
    const entry = { value, until: Math.min(until, seen?.entry?.until ?? until) };
    remember(this.#callers, context, entry);
    if (seen && !seen.entry) await shared?.write(sub, context, seen.version, entry);
    return value;
  }
}

/** Removes the entries of applications with one of these clients. */
function removeClients(store: LRUCache<string, Contexts>, clientIds: ReadonlySet<string>): void {
  for (const contexts of store.values()) {
    for (const [context, { clientId }] of contexts) {
      if (clientId !== undefined && clientIds.has(clientId)) contexts.delete(context);
    }
  }
}

function put(store: LRUCache<string, Contexts>, sub: string, context: string, entry: LocalEntry): void {
  const contexts: Contexts = store.get(sub) ?? new Map();
  if (contexts.size >= maxContextsPerSubject) contexts.clear();
  store.set(sub, contexts.set(context, entry));
}
