import { deleteObsoleteDeliveries } from '@profile-service/db';
import { defineJob, recurring } from './job.ts';

/** Deletes old deliveries of webhooks, and those of deleted webhooks: 15 minutes after the first start of a deployment, then every hour. */
export const webhookDeliveryCleanup = defineJob({
  name: 'webhook-delivery-cleanup',
  queue: { ...recurring, expireInSeconds: 15 * 60 },
  pollSeconds: 60,
  repeat: { firstAfterSeconds: 15 * 60, everySeconds: 60 * 60 },
  run: (_data, { database, signal }) => deleteObsoleteDeliveries(database, signal),
});
