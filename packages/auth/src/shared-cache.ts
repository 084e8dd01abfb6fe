import { Redis } from 'ioredis';
import type { Change } from '@profile-service/db';

const commandTimeoutMs = 250;
const retryMs = 1_000;
const epochKey = 'user_auth:epoch';
const dataKey = (sub: string) => `user_auth:${sub}`;
const versionKey = (sub: string) => `user_auth:version:${sub}`;

export interface SharedCacheOptions {
  url: string;
  ttlSeconds: number;
  /** Called when Redis comes and when it goes, not for each failed command. */
  onState: (up: boolean, error?: Error) => void;
}

/**
 * Callers in Redis: a hash for each subject. An entry counts only while the version that was read before it was
 * loaded is still the current one, so a value that was loaded before a change and written after it is never read.
 * While Redis fails, every operation is a miss; afterwards a new epoch makes all entries of before void.
 */
export class SharedCache {
  readonly #redis: Redis;
  readonly #options: SharedCacheOptions;
  #up = false;
  #reported: boolean | undefined;
  #closed = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: SharedCacheOptions) {
    this.#options = options;
    this.#redis = new Redis(options.url, {
      commandTimeout: commandTimeoutMs,
      connectTimeout: 2_000,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(times * 100, retryMs),
    });
    this.#redis.on('ready', () => void this.#resume());
    this.#redis.on('error', (error) => this.#suspend(error));
    this.#redis.on('close', () => this.#suspend());
  }

  /** Whether Redis answers at present. */
  get up(): boolean {
    return this.#up;
  }

  /** What is remembered, and the version to write with where nothing is; undefined while Redis is away. */
  async read(sub: string, context: string): Promise<{ value: unknown; version: string } | undefined> {
    return this.#attempt(async () => {
      const [stored, versions] = await Promise.all([this.#redis.hget(dataKey(sub), context), this.#redis.mget(versionKey(sub), epochKey)]);
      const version = versions.join(':');
      const entry = stored === null ? undefined : (JSON.parse(stored) as { version: string; value: unknown });
      return { version, value: entry?.version === version ? entry.value : undefined };
    });
  }

  /** Remembers what was loaded after `read` gave the version. */
  async write(sub: string, context: string, version: string, value: unknown): Promise<void> {
    await this.#attempt(async () => {
      const write = this.#redis.multi().hset(dataKey(sub), context, JSON.stringify({ version, value }));
      await write.expire(dataKey(sub), this.#options.ttlSeconds, 'NX').exec();
    });
  }

  async forget(change: Change): Promise<void> {
    await this.#attempt(async () => {
      const write = this.#redis.multi();
      if (change.all) write.incr(epochKey);
      // A version outlives every entry that was written under the one before.
      for (const sub of change.sub ?? [])
        write
          .incr(versionKey(sub))
          .expire(versionKey(sub), this.#options.ttlSeconds * 2 + 60)
          .del(dataKey(sub));
      await write.exec();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#redis.disconnect();
  }

  async #attempt<T>(operation: () => Promise<T>): Promise<T | undefined> {
    if (!this.#up) return undefined;
    try {
      return await operation();
    } catch (error) {
      this.#suspend(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  #suspend(error?: Error): void {
    this.#up = false;
    this.#report(false, error);
    if (this.#closed) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#resume(), retryMs);
    this.#retry.unref();
  }

  /** Entries of before the outage may miss changes that could not be told: a new epoch voids them. */
  async #resume(): Promise<void> {
    if (this.#up || this.#closed || this.#redis.status !== 'ready') return;
    try {
      await this.#redis.incr(epochKey);
      this.#up = true;
      this.#report(true);
    } catch (error) {
      this.#suspend(error instanceof Error ? error : undefined);
    }
  }

  #report(up: boolean, error?: Error): void {
    if (this.#reported === up || this.#closed) return;
    this.#reported = up;
    this.#options.onState(up, error);
  }
}
