import type { HandlerDatabase, JobData, JobName } from '@profile-service/db';

/** The open transaction of a change that needs a job. */
export interface EnlistingTransaction {
  db: HandlerDatabase;
  /** Runs an effect after the transaction has committed. */
  afterCommit(effect: () => void): void;
}

/** Adds jobs. */
export interface JobQueue {
  /** Adds a job with the transaction: it exists exactly when the change does, and starts right after the commit. */
  add<Name extends JobName>(transaction: EnlistingTransaction, name: Name, data: JobData[Name]): Promise<void>;
}
