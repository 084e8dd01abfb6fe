import type { CallerCache } from '@profile-service/auth';
import {
  callerInvalidationNotices,
  type Database,
  mergeCallerInvalidations,
  notifiedSubjects,
  type OrganizationScope,
  recordWrite,
  retryTransaction,
  scoped,
  type TransactionInvalidation,
  withoutScopedTables,
  type WriteOrigin,
} from '@profile-service/db';
import type { Transaction } from './handler.ts';
import type { ReadReplica } from './read-replica.ts';

export interface Transactions {
  /**
   * Runs the work in a transaction that sees the organizations in the scope, and commits it with an audit entry and an event for what it has changed.
   * @param origin returns what the audit entry says besides the changes; called before the commit
   */
  run<T>(scope: OrganizationScope, origin: () => WriteOrigin, work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

/**
 * Creates the runner of transactions. It notifies other instances of invalidated callers as part of the commit, and invalidates the cache of this instance
 * before the client has the response. It retries a transaction that PostgreSQL has aborted because of a deadlock or a migration (D-47, D-48).
 */
export function createTransactions(database: Database, cache: CallerCache, replica?: Pick<ReadReplica, 'noteCommit'>): Transactions {
  return { run: (scope, origin, work) => retryTransaction(() => runOnce(scope, origin, work)) };

  async function runOnce<T>(
    scope: OrganizationScope,
    origin: () => WriteOrigin,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const invalidations: TransactionInvalidation[] = [];
    let subjects: string[] = [];
    const effects: (() => void)[] = [];
    const committing = database.transaction((executor) => {
      executor.beforeCommit(
        () => [...callerInvalidationNotices(mergeCallerInvalidations(invalidations)), recordWrite(origin())],
        (results) => (subjects = notifiedSubjects(results)),
      );
      return work({
        db: withoutScopedTables(executor),
        scoped: scoped(executor, scope),
        invalidateCallers(invalidation) {
          if (executor.hasEnded) throw new Error('Callers must be invalidated before the commit');
          invalidations.push(invalidation);
        },
        commitLater: () => executor.commitLater(),
        afterCommit: (effect) => effects.push(effect),
      });
    });
    // Also after a failure: if the connection breaks during the commit, PostgreSQL may have committed.
    const result = await committing.finally(() => replica?.noteCommit());
    if (invalidations.length > 0) await cache.invalidate(mergeCallerInvalidations([...invalidations, { sub: subjects }]));
    for (const effect of effects) effect();
    return result;
  }
}
