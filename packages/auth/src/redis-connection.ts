import type { Redis } from 'ioredis';
import { type TraceCall, untraced } from './trace-call.ts';
import { isProgrammingError } from './programming-error.ts';
import { assertRedisVersion, RedisVersionError } from './redis-version.ts';

/** Default of `RedisConnectionOptions.commandTimeoutMs`. */
const defaultCommandTimeoutMs = 250;
const retryMs = 1_000;

export interface RedisConnectionOptions {
  url: string;
  /** Time limit of one command, in milliseconds; default 250. At most 1,500, so that it ends before the connection does. */
  commandTimeoutMs?: number;
  /** Called when Redis becomes available or unavailable, not for each failed command. */
  onState: (up: boolean, error?: Error) => void;
  /** Runs each operation, for traces. */
  trace?: TraceCall | undefined;
}

/**
 * The only connection of an instance to Redis. While Redis is unavailable, operations return at once without a result. Only the
 * first command of an outage waits, for at most `commandTimeoutMs`.
 */
export class RedisConnection {
  /** For libraries that need the client: they send commands inside `attempt` only. */
  readonly client: Redis;
  readonly #onState: RedisConnectionOptions['onState'];
  readonly #trace: TraceCall;
  readonly #preparations: ((client: Redis) => Promise<unknown>)[] = [];
  #up = false;
  #failure = new Error('Redis is not connected yet');
  /** Resolves at the first state that is known. */
  readonly #known = Promise.withResolvers<void>();
  /** Only one preparation at a time: a late failure must not end what a later one began. */
  #resuming = false;
  /** A server keeps its version while a connection lasts. */
  #versionChecked = false;
  #reported: boolean | undefined;
  #closed = false;
  #retry: NodeJS.Timeout | undefined;

  private constructor(client: Redis, { onState, trace = untraced }: RedisConnectionOptions) {
    this.client = client;
    this.#onState = onState;
    this.#trace = trace;
    this.client.on('ready', () => void this.#resume());
    this.client.on('error', (error) => this.#suspend(error));
    this.client.on('close', () => {
      this.#versionChecked = false;
      this.#suspend();
    });
  }

  /** Connects in the background. Loads the client's library, which an instance without Redis does not need. */
  static async open(options: RedisConnectionOptions): Promise<RedisConnection> {
    const { Redis } = await import('ioredis');
    const client = new Redis(options.url, {
      commandTimeout: options.commandTimeoutMs ?? defaultCommandTimeoutMs,
      connectTimeout: 2_000,
      // Detects a server that disappeared without closing the connection.
      socketTimeout: 2_000,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(times * 100, retryMs),
    });
    return new RedisConnection(client, options);
  }

  /** Whether Redis is available now. */
  get up(): boolean {
    return this.#up;
  }

  /** Resolves if Redis responds, rejects with the fault otherwise. Waits for the result of the first connection. */
  async check(): Promise<void> {
    await this.#known.promise;
    // One slow response is not an outage: a second ping decides.
    if (this.#up) await this.client.ping().catch(() => this.attempt('ping', (client) => client.ping()));
    if (!this.#up) throw this.#failure;
  }

  /** Runs this before Redis is used, and again after each outage. */
  beforeUse(preparation: (client: Redis) => Promise<unknown>): void {
    this.#preparations.push(preparation);
  }

  /**
   * @param name of the operation in traces
   * @returns the operation's result; undefined when Redis is unavailable or fails
   * @throws what a bug in the operation throws: it is no outage of Redis
   */
  async attempt<T>(name: string, operation: (client: Redis) => Promise<T>): Promise<T | undefined> {
    if (!this.#up) return undefined;
    try {
      return await this.#trace(name, () => operation(this.client));
    } catch (error) {
      if (isProgrammingError(error)) throw error;
      this.#suspend(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.client.disconnect();
    this.#known.resolve();
  }

  #suspend(error?: Error): void {
    this.#up = false;
    if (error) this.#failure = error;
    else if (this.#reported) this.#failure = new Error('The connection to Redis was closed');
    this.#report(false, this.#failure);
    clearTimeout(this.#retry);
    // The same server stays too old. A new connection may lead to another one.
    if (this.#closed || error instanceof RedisVersionError) return;
    this.#retry = setTimeout(() => void this.#resume(), retryMs);
    this.#retry.unref();
  }

  async #resume(): Promise<void> {
    if (this.#up || this.#resuming || this.#closed || this.client.status !== 'ready') return;
    this.#resuming = true;
    try {
      if (!this.#versionChecked) await assertRedisVersion(this.client);
      this.#versionChecked = true;
      await Promise.all([this.client.ping(), ...this.#preparations.map((prepare) => prepare(this.client))]);
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
    this.#known.resolve();
    this.#onState(up, error);
  }
}
