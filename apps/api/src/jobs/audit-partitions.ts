import { type AuditPartitionOptions, type Database, maintainAuditPartitions } from '@profile-service/db';
import type { Log } from '../observability/log.ts';
import type { Job } from './job.ts';

export interface AuditPartitionsJobOptions extends Pick<AuditPartitionOptions, 'retentionDays'> {
  database: Database;
  log: Log;
}

/** Creates the job that adds partitions to the audit log and removes old ones: shortly after the first start of a deployment, then every 6 hours. */
export function auditPartitionsJob({ database, retentionDays, log }: AuditPartitionsJobOptions): Job<'audit-partitions'> {
  return {
    name: 'audit-partitions',
    pollSeconds: 60,
    repeat: { firstAfterSeconds: 10, everySeconds: 6 * 60 * 60 },
    async run(_data, { signal }) {
      const removed = await maintainAuditPartitions(database, { retentionDays, signal });
      if (removed && removed.length > 0) log.info({ partitions: removed }, 'old partitions of the audit log were removed');
    },
  };
}
