import type { CallerCache } from '@profile-service/auth';
import {
  callerInvalidationNotices,
  type Database,
  mergeCallerInvalidations,
  notifiedSubjects,
  type OrganizationScope,
  type RecordedPart,
  recordWrite,
  recordWriteOfPart,
  retryTransaction,
  scoped,
  type TransactionInvalidation,
  unscoped,
  type WriteOrigin,
} from '@profile-service/db';
import type { ReadReplica } from './read-replica.ts';
import type { Transaction } from './transaction.ts';

/** What sends the last statements of a transaction. If the response is stored after the handler, the handler's `atCommit` does not commit. */
export type LastStatements = 'handler' | 'response';

export interface Transactions {
  /**
   * Runs the work in a transaction that sees the organizations in the scope, and commits it with an audit entry and an event for what it has changed.
   * @param origin returns what the audit entry says besides the changes; called before the commit
   */
  run<T>(
    scope: OrganizationScope,
    origin: () => WriteOrigin,
    work: (transaction: Transaction) => Promise<T>,
    last?: LastStatements,
  ): Promise<T>;
}

/**
 * Creates the runner of transactions. It notifies other instances of invalidated callers as part of the commit, and invalidates the cache of this instance
 * before the client has the response. It retries a transaction that PostgreSQL has aborted because of a deadlock or a migration (D-47, D-48).
 */
export function createTransactions(database: Database, cache: CallerCache, replica?: Pick<ReadReplica, 'noteCommit'>): Transactions {
  return { run: (...args) => retryTransaction(() => runOnce(...args)) };

  async function runOnce<T>(
    scope: OrganizationScope,
    origin: () => WriteOrigin,
    work: (transaction: Transaction) => Promise<T>,
    last: LastStatements = 'handler',
  ): Promise<T> {
    const invalidations: TransactionInvalidation[] = [];
    let subjects: string[] = [];
    const effects: (() => void)[] = [];
    const committing = database.transaction((executor) => {
      executor.beforeCommit(
        () => [...callerInvalidationNotices(mergeCallerInvalidations(invalidations)), recordWrite(origin())],
        (results) => (subjects = notifiedSubjects(results)),
      );
      if (last === 'response') executor.commitLater();
      return work({
        unscoped: unscoped(executor),
        scoped: scoped(executor, scope),
        invalidateCallers(invalidation) {
          if (executor.hasEnded) throw new Error('Callers must be invalidated before the commit');
          invalidations.push(invalidation);
        },
        async part(partOrigin, part, onSent) {
          const [returned, [recorded]] = await executor.part(part, () => recordWriteOfPart(partOrigin), onSent);
          return { returned, recorded: recorded as RecordedPart };
        },
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
