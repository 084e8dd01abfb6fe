import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectOptions, Database } from '../database.ts';
import { type OtherServerError, PrimaryPositionError, ReplicaLagError } from './errors.ts';
import { Freshness } from './freshness.ts';
import { PolledConnection } from './polled-connection.ts';
import { readPrimaryPosition, readReplicaPosition } from './positions.ts';
import { createReplicaPool, type ReplicaPool } from './replica-pool.ts';

type Connection = Pick<ConnectOptions, 'connectionString' | 'ca'>;

export interface ReplicaOptions {
  primary: Connection;
  replica: Connection;
  /** Options of the connection pool for reads. */
  pool: Pick<ConnectOptions, 'max' | 'applicationName' | 'observer' | 'statementTimeoutSeconds'>;
  /** Called repeatedly: with the error while the replica cannot be used, and with undefined while it can. */
  onState: (error: Error | undefined) => void;
}

/** Pause between two comparisons in milliseconds: usual, shortest if this process commits meanwhile, without reads, and after a failure. */
const pauses = { usual: 40, shortest: 2, idle: 1_000, failure: 1_000 };
/** Time in milliseconds after the last read until comparisons become rare. */
const idleAfterMs = 5_000;
/** Pause in milliseconds before the position of a replica that is behind is read again. Doubles each time. */
const firstRetryMs = 2;
/** Time in milliseconds after which a replica that is behind is reported. */
const longestLagMs = 5_000;

/**
 * Follows a read replica: compares its position with that of the primary every 40 ms, earlier after a commit of this process, and every second if there are no
 * reads.
 * A read may use the replica if the last comparison found that it had replayed everything, covers all commits of this process, and is at most 100 ms old.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #freshness = new Freshness();
  readonly #primary: PolledConnection;
  readonly #replica: PolledConnection;
  readonly #following: Promise<void>;
  #pool: ReplicaPool | undefined;
  #lagBytes: number | undefined;
  #behindSince: number | undefined;
  /** Set when a connection of the pool has led to another server. */
  #otherServer: OtherServerError | undefined;
  /** Ends the current pause. */
  #wake: () => void = () => undefined;
  /** What also ends the current pause. */
  #wakesOn: 'commit' | 'read' | undefined;
  #lastReadAt = 0;
  #isClosed = false;

  /** Connects in the background, and again after each failure. */
  constructor(options: ReplicaOptions) {
    this.#options = options;
    const applicationName = 'profile-service-replication';
    this.#primary = new PolledConnection({ ...options.primary, applicationName });
    this.#replica = new PolledConnection({ ...options.replica, applicationName });
    this.#following = this.#follow();
  }

  /** Returns the replica for a read that starts now, or undefined if the read must use the primary. */
  current(): Database | undefined {
    this.#lastReadAt = performance.now();
    if (this.#wakesOn === 'read') this.#wake();
    return this.#freshness.isCurrent ? this.#pool?.database : undefined;
  }

  /** Call after each commit of this process, before its client gets the response. */
  noteCommit(): void {
    this.#freshness.noteCommit();
    if (this.#wakesOn === 'commit') this.#wake();
  }

  /** How far the replica was behind the primary at the last comparison; undefined if this is unknown. */
  get lagBytes(): number | undefined {
    return this.#lagBytes;
  }

  /** Closes all connections, also to a server that hangs. Running reads fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.#following;
    this.#disconnect();
    this.#primary.close();
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#compare();
        await this.#pause(pauses.shortest);
        const isIdle = performance.now() - this.#lastReadAt > idleAfterMs;
        if (isIdle) await this.#pause(pauses.idle, 'read');
        else if (this.#freshness.coversCommits) await this.#pause(pauses.usual - pauses.shortest, 'commit');
      } catch (error) {
        // Without the primary's position, reads on the replica that have started can still finish.
        if (!(error instanceof PrimaryPositionError)) this.#disconnect();
        if (!this.#isClosed) this.#options.onState(error as Error);
        await this.#pause(pauses.failure);
      }
    }
  }

  /** Compares once. While the replica is behind, reads its position again until the comparison is too old to be of use. */
  async #compare(): Promise<void> {
    const comparison = this.#freshness.startComparison();
    const expected = await readPrimaryPosition(this.#primary.query);
    for (let retryMs = firstRetryMs; !comparison.hasExpired(); retryMs *= 2) {
      const { server, hasReplayed, lagBytes } = await readReplicaPosition(this.#replica.query, expected);
      this.#useServer(server);
      this.#lagBytes = hasReplayed ? 0 : lagBytes;
      if (hasReplayed) {
        comparison.succeed();
        this.#behindSince = undefined;
        return this.#options.onState(undefined);
      }
      await pause(retryMs);
    }
    this.#behindSince ??= performance.now();
    if (performance.now() - this.#behindSince > longestLagMs) this.#options.onState(new ReplicaLagError('The replica is behind'));
  }

  /** Opens a pool for the server whose position was read. A pool for another server, such as before a restart, is of no use. */
  #useServer(server: string): void {
    if (this.#otherServer) throw this.#otherServer;
    if (this.#pool?.server === server) return;
    this.#disconnectPool();
    const pool = createReplicaPool(server, { ...this.#options.pool, ...this.#options.replica }, (error) => {
      if (this.#pool !== pool) return;
      this.#freshness.reset();
      this.#otherServer = error;
    });
    this.#pool = pool;
  }

  /** Loses the replica: the reads that use it fail at once. */
  #disconnect(): void {
    this.#disconnectPool();
    this.#replica.close();
    this.#otherServer = undefined;
    this.#lagBytes = undefined;
  }

  #disconnectPool(): void {
    this.#freshness.reset();
    this.#pool?.destroy();
    this.#pool = undefined;
  }

  #pause(ms: number, wakesOn?: 'commit' | 'read'): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#isClosed ? 0 : ms);
      this.#wakesOn = wakesOn;
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
