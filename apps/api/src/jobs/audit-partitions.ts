import { maintainAuditPartitions } from '@profile-service/db';
import { defineJob, recurring } from './job.ts';

/** Adds partitions to the audit log and removes old ones: shortly after the first start of a deployment, then every 6 hours. */
export const auditPartitions = defineJob({
  name: 'audit-partitions',
  queue: { ...recurring, expireInSeconds: 15 * 60 },
  pollSeconds: 60,
  repeat: { firstAfterSeconds: 10, everySeconds: 6 * 60 * 60 },
  async run(_data, { database, retentionDays, log, signal }) {
    const removed = await maintainAuditPartitions(database, { retentionDays, signal });
    if (removed && removed.length > 0) log.info({ partitions: removed }, 'old partitions of the audit log were removed');
  },
});
