import type { JobQueue } from '../request/job-queue.ts';
import type { Transaction } from '../request/transaction.ts';

/** Starts the deliveries of webhooks after the commit, if no instance runs them. */
export async function startDeliveries(_jobs: JobQueue, _transaction: Pick<Transaction, 'unscoped' | 'afterCommit'>): Promise<void> {
  // Adds the job `webhook-delivery`.
}
