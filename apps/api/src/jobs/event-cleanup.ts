import { deleteOldEvents } from '@profile-service/db';
import { defineJob, recurring } from './job.ts';

/** Deletes old events: 10 minutes after the first start of a deployment, then every 6 hours. */
export const eventCleanup = defineJob({
  name: 'event-cleanup',
  queue: { ...recurring, expireInSeconds: 3_600, heartbeatSeconds: 60 },
  pollSeconds: 60,
  repeat: { firstAfterSeconds: 10 * 60, everySeconds: 6 * 60 * 60 },
  async run(_data, { database, retentionDays, log, signal }) {
    const deleted = await deleteOldEvents(database, { retentionDays: retentionDays.events, signal });
    if (deleted > 0) log.info({ deleted }, 'old events were deleted');
  },
});
