import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Change } from '@profile-service/db';
import type { Entry } from './caller-cache.ts';

const commandTimeoutMs = 250;
const retryMs = 1_000;
/** No sub can spell these: its own keys begin with `user_auth:`. */
const epochKey = 'user_auth_epoch';
const versionKey = (sub: string) => `user_auth_version:${sub}`;
const dataKey = (sub: string) => `user_auth:${sub}`;

export interface SharedCacheOptions {
  url: string;
  ttlSeconds: number;
  /** Called when Redis comes and when it goes, not for each failed command. */
  onState: (up: boolean, error?: Error) => void;
}

/** What is remembered, if anything, and the version under which something may be. */
export interface Seen {
  entry: Entry | undefined;
  version: string;
}

/**
 * Callers in Redis: a hash for each subject. An entry counts only while the version that was read before it was
 * loaded is still the current one, so a value that was loaded before a change and written after it is never read.
 * Versions are random: a Redis that comes back with old data has none that was given since.
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
      // A connection to a machine that is gone ends only so.
      socketTimeout: 2_000,
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

  /** What is remembered; undefined while Redis is away. */
  async read(sub: string, context: string): Promise<Seen | undefined> {
    return this.#attempt(async () => {
      const [stored, versions] = await Promise.all([this.#redis.hget(dataKey(sub), context), this.#redis.mget(versionKey(sub), epochKey)]);
      const version = versions.join(':');
      const entry = stored === null ? undefined : (JSON.parse(stored) as Entry & { version: string });
      return { version, entry: entry?.version === version && Date.now() < entry.until ? entry : undefined };
    });
  }

  /** Remembers what was loaded after `read` gave the version. */
  async write(sub: string, context: string, version: string, entry: Entry): Promise<void> {
    await this.#attempt(async () => {
      const write = this.#redis.multi().hset(dataKey(sub), context, JSON.stringify({ version, ...entry }));
      await write.expire(dataKey(sub), this.#options.ttlSeconds, 'NX').exec();
    });
  }

  async forget(change: Change): Promise<void> {
    await this.#attempt(async () => {
      const write = this.#redis.multi();
      if (change.all) write.set(epochKey, randomUUID());
      // A version outlives every entry that was written under the one before.
      const seconds = this.#options.ttlSeconds * 2 + 60;
      for (const sub of change.sub ?? []) write.set(versionKey(sub), randomUUID(), 'EX', seconds).del(dataKey(sub));
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
      await this.#redis.set(epochKey, randomUUID());
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
