import { Redis } from 'ioredis';

const commandTimeoutMs = 250;
const retryMs = 1_000;

export interface RedisConnectionOptions {
  url: string;
  /** Called when Redis comes and when it goes, not for each failed command. */
  onState: (up: boolean, error?: Error) => void;
}

/**
 * The one connection to Redis of an instance, for whatever it shares with the others. Where Redis is away or hangs, the first
 * command to notice waits for its limit of 250 ms, those after it for nothing.
 */
export class RedisConnection {
  /** For libraries that want it: its commands are given inside `attempt`. */
  readonly client: Redis;
  readonly #onState: RedisConnectionOptions['onState'];
  readonly #preparations: ((client: Redis) => Promise<unknown>)[] = [];
  #up = false;
  /** One attempt at a time: one that fails late must not end what another began. */
  #resuming = false;
  #reported: boolean | undefined;
  #closed = false;
  #retry: NodeJS.Timeout | undefined;

  constructor({ url, onState }: RedisConnectionOptions) {
    this.#onState = onState;
    this.client = new Redis(url, {
      commandTimeout: commandTimeoutMs,
      connectTimeout: 2_000,
      // A connection to a machine that is gone ends only so.
      socketTimeout: 2_000,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(times * 100, retryMs),
    });
    this.client.on('ready', () => void this.#resume());
    this.client.on('error', (error) => this.#suspend(error));
    this.client.on('close', () => this.#suspend());
  }

  /** Whether Redis answers at present. */
  get up(): boolean {
    return this.#up;
  }

  /** Has this done before Redis is used, and again after each outage. */
  beforeUse(preparation: (client: Redis) => Promise<unknown>): void {
    this.#preparations.push(preparation);
  }

  /** Gives what the operation gives; undefined where Redis is away, or goes meanwhile. */
  async attempt<T>(operation: (client: Redis) => Promise<T>): Promise<T | undefined> {
    if (!this.#up) return undefined;
    try {
      return await operation(this.client);
    } catch (error) {
      this.#suspend(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.client.disconnect();
  }

  #suspend(error?: Error): void {
    this.#up = false;
    this.#report(false, error);
    if (this.#closed) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#resume(), retryMs);
    this.#retry.unref();
  }

  async #resume(): Promise<void> {
    if (this.#up || this.#resuming || this.#closed || this.client.status !== 'ready') return;
    this.#resuming = true;
    try {
      await this.client.ping();
      for (const prepare of this.#preparations) await prepare(this.client);
      this.#up = true;
      this.#report(true);
    } catch (error) {
      this.#suspend(error instanceof Error ? error : undefined);
    } finally {
      this.#resuming = false;
    }
  }

  #report(up: boolean, error?: Error): void {
    if (this.#reported === up || this.#closed) return;
    this.#reported = up;
    this.#onState(up, error);
  }
}
