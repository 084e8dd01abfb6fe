import { ProblemError } from '@profile-service/contracts';
import { type Database, type OrganizationScope, Replica, type ReplicaOptions } from '@profile-service/db';
import { explainReplica } from '../observability/health-reasons.ts';
import type { Log } from '../observability/log.ts';
import type { ReplicaMetrics } from '../observability/replica-metrics.ts';

export interface ReadReplicaOptions extends Omit<ReplicaOptions, 'onState'> {
  createMetrics: (replica: Pick<Replica, 'lagBytes'>) => ReplicaMetrics;
  log: Log;
}

/** The read replica of the database (`DATABASE_REPLICA_URL`). Logs each reason why it cannot be used once. */
export class ReadReplica {
  readonly #replica: Replica;
  readonly #metrics: ReplicaMetrics;
  readonly #log: Log;
  #reason: string | undefined;
  /** Reasons logged since the replica was last usable: it may alternate between two reasons. */
  readonly #logged = new Set<string>();

  constructor({ createMetrics, log, ...options }: ReadReplicaOptions) {
    this.#log = log;
    this.#replica = new Replica({ ...options, onState: (error) => this.#setState(error) });
    this.#metrics = createMetrics(this.#replica);
  }

  /**
   * Returns the replica for all statements of a read, or undefined if the read must use the primary.
   * A RESTRICTED scope is a list of grants that the statements read, and a revoked grant must not count. So these reads use the primary.
   */
  databaseFor({ kind }: OrganizationScope): Database | undefined {
    const database = kind === 'restricted' ? undefined : this.#replica.current();
    this.#metrics.read(database ? 'replica' : 'primary');
    return database;
  }

  /** Records that a read failed on the replica. Throws its error again unless the read is worth repeating on the primary. */
  assertRepeatable(error: unknown): void {
    if (!isRepeatable(error)) throw error;
    this.#log.debug({ reason: String(error) }, 'a read is repeated on the primary');
    this.#metrics.repeated();
  }

  /** Call after each transaction, before its client gets the response. */
  noteCommit(): void {
    this.#replica.noteCommit();
  }

  /** Why the replica cannot be used, for operators only. */
  reasons(): { replica?: string } {
    return this.#reason === undefined ? {} : { replica: this.#reason };
  }

  close(): Promise<void> {
    return this.#replica.close();
  }

  #setState(error: Error | undefined): void {
    const reason = error && explainReplica(error);
    if (reason === this.#reason) return;
    this.#reason = reason;
    if (reason === undefined) {
      this.#logged.clear();
      this.#log.info({ part: 'replica' }, 'replica is up again');
    } else if (!this.#logged.has(reason)) {
      this.#logged.add(reason);
      this.#log.warn({ part: 'replica', reason, cause: String((error?.cause as Error | undefined) ?? error) }, 'replica is down');
    }
  }
}

/**
 * Whether the primary may succeed with a read that failed on the replica. False if the handler rejected the request, and after the time limit of a statement
 * (SQLSTATE 57014), which the primary would reach too.
 */
export function isRepeatable(error: unknown): boolean {
  if (error instanceof ProblemError) return false;
  return !(error instanceof Error && 'code' in error && error.code === '57014');
}
