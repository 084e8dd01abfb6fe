import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type DeliverableWebhook, listDeliverableWebhooks } from '@profile-service/db';
import type { SecretBox } from '@profile-service/webhooks';
import { decryptSecrets } from './decrypt-secrets.ts';
import { WebhookWorker, type WebhookWorkerOptions } from './webhook-worker.ts';

/** How often new and changed webhooks are looked for, in milliseconds. */
const refreshMs = 1_000;
/** How long running requests may take at the end, in milliseconds. */
const graceMs = 2_000;
/** Pause after a failure, in milliseconds. */
const retryMs = 10_000;

/** How many workers use the database at once: not all connections of the jobs. */
const databaseTurns = 2;

export interface DeliverWebhooksOptions extends Omit<WebhookWorkerOptions, 'inTurn' | 'now'> {
  /** Undefined without WEBHOOK_ENCRYPTION_KEY. Then nothing is sent. */
  secretBox: SecretBox | undefined;
  /** Ends the deliveries. */
  signal: AbortSignal;
}

/** Sends the events of all webhooks. Returns when the signal is aborted. Throws if the database fails. */
export async function deliverWebhooks({ secretBox, signal, ...options }: DeliverWebhooksOptions): Promise<void> {
  const { database, log } = options;
  const inTurn = pLimit(databaseTurns);
  let clockDifferenceMs = 0;
  const now = () => new Date(Date.now() + clockDifferenceMs);
  const workers = new Map<string, { worker: WebhookWorker; running: Promise<void>; hasEnded: boolean }>();
  /** Webhooks whose secrets cannot be decrypted. Each is logged once. */
  const unreadable = new Set<string>();
  let isEnding = false;
  const start = (webhook: DeliverableWebhook, secrets: string[]) => {
    const worker = new WebhookWorker(webhook, secrets, { ...options, inTurn, now });
    const entry = { worker, hasEnded: false, running: Promise.resolve() };
    entry.running = worker
      .run()
      .catch(async (error: unknown) => {
        if (isEnding) return;
        log.warn({ webhook: webhook.id, reason: String(error) }, 'the deliveries of a webhook have failed, and continue in 10 seconds');
        await pause(retryMs, undefined, { signal }).catch(() => undefined);
      })
      .then(() => void (entry.hasEnded = true));
    workers.set(webhook.id, entry);
  };
  try {
    while (!signal.aborted) {
      const listed = await listDeliverableWebhooks(database);
      const webhooks = new Map(listed.webhooks.map((webhook) => [webhook.id, webhook]));
      ({ clockDifferenceMs } = listed);
      for (const [id, { worker, hasEnded }] of workers) {
        if (hasEnded) workers.delete(id);
        else if (isOutdated(worker.webhook, webhooks.get(id))) worker.stop();
        else if (webhooks.get(id)?.hasDue || worker.isFull) worker.sendDue();
      }
      for (const webhook of webhooks.values()) {
        if (workers.has(webhook.id)) continue;
        const secrets = decryptSecrets(secretBox, webhook);
        if (secrets) start(webhook, secrets);
        else if (!unreadable.has(webhook.id)) {
          unreadable.add(webhook.id);
          log.error({ webhook: webhook.id }, 'the secret of a webhook cannot be decrypted: check WEBHOOK_ENCRYPTION_KEY');
        }
      }
      await pause(refreshMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    isEnding = true;
    for (const { worker } of workers.values()) worker.stop();
    // A request that runs longer is repeated by the next process.
    await Promise.race([Promise.all([...workers.values()].map(({ running }) => running)), pause(graceMs, undefined, { ref: false })]);
  }
}

/** Whether the webhook has changed, or its previous secret has expired, which changes no version. */
const isOutdated = (webhook: DeliverableWebhook, current: DeliverableWebhook | undefined): boolean =>
  current?.version !== webhook.version || current.secrets.length !== webhook.secrets.length;
