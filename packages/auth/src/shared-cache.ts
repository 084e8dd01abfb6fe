import { randomUUID } from 'node:crypto';
import type { CallerInvalidation } from '@profile-service/db';
import type { CacheEntry } from './cache-entry.ts';
import type { RedisConnection } from './redis-connection.ts';

/** No sub can spell these: its own keys begin with `user_auth:`. */
const epochKey = 'user_auth_epoch';
const versionKey = (sub: string) => `user_auth_version:${sub}`;
const dataKey = (sub: string) => `user_auth:${sub}`;

export interface SharedCacheOptions {
  redis: RedisConnection;
  ttlSeconds: number;
}

/** What is remembered, if anything, and the version under which something may be. */
export interface Seen {
  entry: CacheEntry | undefined;
  version: string;
}

/**
 * Callers in Redis: a hash for each subject. An entry counts only while the version that was read before it was
 * loaded is still the current one, so a value that was loaded before a change and written after it is never read.
 * Versions are random, and who reads none makes one: neither a Redis that comes back with old data nor one that lost
 * a version has one that was given before.
 * While Redis fails, every operation is a miss; afterwards a new epoch makes all entries of before void.
 */
export class SharedCache {
  readonly #redis: RedisConnection;
  readonly #ttlSeconds: number;
  /** Longer than an entry is kept that is written soon after. */
  readonly #versionSeconds: number;

  constructor({ redis, ttlSeconds }: SharedCacheOptions) {
    this.#redis = redis;
    this.#ttlSeconds = ttlSeconds;
    this.#versionSeconds = ttlSeconds * 2 + 60;
    // Entries of before an outage may miss changes that could not be told: a new epoch voids them.
    redis.beforeUse((client) => client.set(epochKey, randomUUID()));
  }

  /** What is remembered; undefined while Redis is away. */
  async read(sub: string, context: string): Promise<Seen | undefined> {
    return this.#redis.attempt(async (client) => {
      const fresh = randomUUID();
      const [stored, ofSub, epoch] = await Promise.all([
        client.hget(dataKey(sub), context),
        client.set(versionKey(sub), fresh, 'EX', this.#versionSeconds, 'NX', 'GET'),
        client.set(epochKey, fresh, 'NX', 'GET'),
      ]);
      const version = `${ofSub ?? fresh}:${epoch ?? fresh}`;
      const entry = stored === null ? undefined : (JSON.parse(stored) as CacheEntry & { version: string });
      return { version, entry: entry?.version === version && Date.now() < entry.until ? entry : undefined };
    });
  }

  /** Remembers what was loaded after `read` gave the version. */
  async write(sub: string, context: string, version: string, entry: CacheEntry): Promise<void> {
    await this.#redis.attempt(async (client) => {
      const write = client.multi().hset(dataKey(sub), context, JSON.stringify({ version, ...entry }));
      await write.expire(dataKey(sub), this.#ttlSeconds, 'NX').exec();
    });
  }

  async invalidate(invalidation: CallerInvalidation): Promise<void> {
    await this.#redis.attempt(async (client) => {
      const write = client.multi();
      if (invalidation.all) write.set(epochKey, randomUUID());
      for (const sub of invalidation.sub ?? []) write.set(versionKey(sub), randomUUID(), 'EX', this.#versionSeconds).del(dataKey(sub));
      await write.exec();
    });
  }
}
