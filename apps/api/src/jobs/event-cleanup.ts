import { type Database, deleteOldEvents, type DeleteOldEventsOptions } from '@profile-service/db';
import type { Log } from '../observability/log.ts';
import type { Job } from './job.ts';

export interface EventCleanupJobOptions extends Pick<DeleteOldEventsOptions, 'retentionDays'> {
  database: Database;
  log: Log;
}

/** Creates the job that deletes old events: 10 minutes after the first start of a deployment, then every 6 hours. */
export function eventCleanupJob({ database, retentionDays, log }: EventCleanupJobOptions): Job<'event-cleanup'> {
  return {
    name: 'event-cleanup',
    pollSeconds: 60,
    repeat: { firstAfterSeconds: 10 * 60, everySeconds: 6 * 60 * 60 },
    async run(_data, { signal }) {
      const deleted = await deleteOldEvents(database, { retentionDays, signal });
      if (deleted > 0) log.info({ deleted }, 'old events were deleted');
    },
  };
}
