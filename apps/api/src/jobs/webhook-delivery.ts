import { deliverWebhooks } from '../webhooks/deliver-webhooks.ts';
import { endless, everySeconds, untilRunEnds } from './endless.ts';
import { defineJob } from './job.ts';

/** Sends events to webhooks. */
export const webhookDelivery = defineJob({
  name: 'webhook-delivery',
  ...endless,
  repeat: { firstAfterSeconds: 1, everySeconds },
  async run(_data, { database, webhooks, webhookConcurrency, events, onWebhookAttempt, log, signal }) {
    await deliverWebhooks({
      database,
      ...webhooks,
      concurrency: webhookConcurrency,
      events,
      log,
      onAttempt: onWebhookAttempt,
      signal: untilRunEnds(signal),
    });
  },
});
