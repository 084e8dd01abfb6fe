import { randomUUID } from 'node:crypto';
import type { CallerInvalidation } from '@profile-service/db';
import { type CacheEntry, type CacheKey, isCurrent } from './cache-entry.ts';
import type { RedisConnection } from './redis-connection.ts';

/** The keys cannot collide, whatever the subject is: their prefixes differ in the character after `user_auth`. */
const epochKey = 'user_auth_epoch';
const versionKey = (sub: string) => `user_auth_version:${sub}`;
const clientVersionKey = (clientId: string) => `user_auth_client_version:${clientId}`;
const dataKey = (sub: string) => `user_auth:${sub}`;

export interface SharedCacheOptions {
  redis: RedisConnection;
  ttlSeconds: number;
}

/** The result of a look-up. */
export interface SharedLookup {
  /** Undefined on a miss. */
  entry: CacheEntry | undefined;
  /** The version under which an entry may be written after a miss. */
  version: string;
}

/**
 * The cache of callers that all instances share in Redis: one hash per subject.
 * Each entry carries the version that was current before its value was loaded: of its subject, of the client of an application, and
 * the epoch. It is valid only while that version is current, so a value that was loaded before an invalidation and written after it is never returned.
 * Versions are random, and a read that finds no version sets one. So neither a Redis that restarts with old data nor
 * one that evicted a version can make an old entry valid again.
 * While Redis is unavailable, every look-up is a miss. After an outage a new epoch invalidates all entries.
 */
export class SharedCache {
  readonly #redis: RedisConnection;
  readonly #ttlSeconds: number;
  /** A version lives longer than each entry that was written under it. */
  readonly #versionSeconds: number;

  constructor({ redis, ttlSeconds }: SharedCacheOptions) {
    this.#redis = redis;
    this.#ttlSeconds = ttlSeconds;
    this.#versionSeconds = ttlSeconds * 2 + 60;
    // Invalidations were lost during an outage: a new epoch makes all older entries invalid.
    redis.beforeUse((client) => client.set(epochKey, randomUUID()));
  }

  /** Looks up an entry. @returns undefined while Redis is unavailable */
  async read({ sub, context, clientId }: CacheKey): Promise<SharedLookup | undefined> {
    return this.#redis.attempt('read caller', async (client) => {
      const fresh = randomUUID();
      const current = async (key: string) => (await client.set(key, fresh, 'EX', this.#versionSeconds, 'NX', 'GET')) ?? fresh;
      const [stored, epoch, ...versions] = await Promise.all([
        client.hget(dataKey(sub), context),
        client.set(epochKey, fresh, 'NX', 'GET'),
        current(versionKey(sub)),
        ...(clientId === undefined ? [] : [current(clientVersionKey(clientId))]),
      ]);
      const version = [...versions, epoch ?? fresh].join(':');
      const entry = parseEntry(stored);
      return { version, entry: entry?.version === version && isCurrent(entry, this.#ttlSeconds * 1000) ? entry : undefined };
    });
  }

  /** Writes an entry. @param version the version that `read` returned before the value was loaded */
  async write(sub: string, context: string, version: string, entry: CacheEntry): Promise<void> {
    await this.#redis.attempt('write caller', async (client) => {
      const write = client.multi().hset(dataKey(sub), context, JSON.stringify({ version, ...entry }));
      await write.expire(dataKey(sub), this.#ttlSeconds, 'NX').exec();
    });
  }

  /** Makes the entries that the invalidation names invalid on every instance. */
  async invalidate(invalidation: CallerInvalidation): Promise<void> {
    await this.#redis.attempt('invalidate callers', async (client) => {
      const write = client.multi();
      if (invalidation.all) write.set(epochKey, randomUUID());
      const renew = (key: string) => write.set(key, randomUUID(), 'EX', this.#versionSeconds);
      for (const sub of invalidation.sub ?? []) renew(versionKey(sub)).del(dataKey(sub));
      for (const clientId of invalidation.clientId ?? []) renew(clientVersionKey(clientId));
      await write.exec();
    });
  }
}

/** Parses a stored entry. Returns undefined if there is none, and for a text that this service has not written: it is a miss, not an outage. */
function parseEntry(stored: string | null): (CacheEntry & { version: string }) | undefined {
  try {
    return (JSON.parse(stored ?? 'null') as (CacheEntry & { version: string }) | null) ?? undefined;
  } catch {
    return undefined;
  }
}
