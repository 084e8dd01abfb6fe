import type { JobData, JobName } from '@profile-service/db';
import type { Transaction } from './transaction.ts';

/** Adds background jobs. */
export interface JobQueue {
  /** Adds a job in a transaction. The job exists only if the transaction commits, and starts right after the commit. */
  add<Name extends JobName>(transaction: Pick<Transaction, 'unscoped' | 'afterCommit'>, name: Name, data: JobData[Name]): Promise<void>;
}
