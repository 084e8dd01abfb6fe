import type { RecordedPart, ScopedDatabase, TransactionInvalidation, UnscopedDatabase, WriteOrigin } from '@profile-service/db';

/** The tables that a handler can use. */
export interface Tables {
  /** The tables that no scope limits. */
  unscoped: UnscopedDatabase;
  /** The scoped tables, limited to the caller's organization scope. */
  scoped: ScopedDatabase;
}

/** One database transaction. */
export interface Transaction extends Tables {
  /** Removes callers from the caches of all instances when the transaction commits. Call it for every caller whose permissions the transaction changes. */
  invalidateCallers(invalidation: TransactionInvalidation): void;
  /**
   * Runs a part of the transaction that has an audit entry and an event of its own. After one that fails, the transaction must be rolled back.
   * @param onSent called when the next part may begin, which can be before this one ends
   */
  part<T>(origin: WriteOrigin, work: () => Promise<T>, onSent?: () => void): Promise<{ returned: T; recorded: RecordedPart }>;
  /** Runs an effect outside the database after the commit. */
  afterCommit(effect: () => void): void;
}

/** Runs work in a transaction, and commits. */
export type RunInTransaction = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
