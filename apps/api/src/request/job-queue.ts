import type { Transaction } from './transaction.ts';

/** A job with the type of its data. */
export interface QueuedJob<Data extends object> {
  readonly name: string;
  run(data: Data, context: never): Promise<void>;
}

/** Adds background jobs. */
export interface JobQueue {
  /**
   * Adds a job in a transaction. The job exists only if the transaction commits, and starts right after the commit.
   * @param afterSeconds makes it start later
   */
  add<Data extends object>(
    transaction: Pick<Transaction, 'unscoped' | 'afterCommit'>,
    job: QueuedJob<Data>,
    data: Data,
    afterSeconds?: number,
  ): Promise<void>;
}
