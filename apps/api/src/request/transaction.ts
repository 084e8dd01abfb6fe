import type { HandlerDatabase, ScopedDatabase, TransactionInvalidation } from '@profile-service/db';

/** One database transaction. */
export interface Transaction {
  /** The tables that no scope limits. */
  db: HandlerDatabase;
  /** The scoped tables, limited to the caller's organization scope. */
  scoped: ScopedDatabase;
  /** Removes callers from the caches of all instances when the transaction commits. Call it for every caller whose permissions the transaction changes. */
  invalidateCallers(invalidation: TransactionInvalidation): void;
  /** Makes `atCommit` run statements without COMMIT, because more statements follow those of the handler. */
  commitLater(): void;
  /** Runs an effect outside the database after the commit. */
  afterCommit(effect: () => void): void;
}
