import { isDeepStrictEqual } from 'node:util';
import { listDeliverableWebhooks } from '@profile-service/db';
import { createLog } from '../src/observability/log.ts';
import { WebhookWorker, type WebhookWorkerOptions } from '../src/webhooks/webhook-worker.ts';
import { sentEvent } from '../test/oracle/events.ts';
import { answered } from '../test/support/webhooks.ts';
import type { StoredDelivery } from '../test/oracle/model.ts';
import { parse } from './http.ts';
import { Contradiction } from './prediction.ts';
import type { World } from './world/world.ts';

/** Sends all webhooks what is due, as the job of the service does, and compares the requests with the model. */
export async function deliverEvents({ model, sql, database }: Pick<World, 'model' | 'sql' | 'database'>): Promise<void> {
  const sent = await sendEvents(database);
  const events = [...model.events.values()];
  const deliveries = [...model.deliveries.values()];
  for (const webhook of model.webhooks.values()) {
    const bodies = sent.get(webhook.id) ?? new Map<string, unknown>();
    const isLast = ({ id, type, recordId }: (typeof events)[number]) =>
      id === model.sentUpTo.get(webhook.id) || (type === 'webhook.created' && recordId === webhook.id);
    const next = events.slice(events.findLastIndex(isLast) + 1);
    for (const id of new Set([...next.map((event) => event.id), ...bodies.keys()])) {
      const event = model.events.get(id);
      // A retry sends an event that the types may no longer name (DELIVERIES-4).
      const isRetried = deliveries.some(({ webhookId, eventId }) => webhookId === webhook.id && eventId === id);
      const types = isRetried ? ['*'] : webhook.types;
      const [wanted, got] = [event && sentEvent(model, { ...webhook, types }, event), bodies.get(id)];
      if (!isDeepStrictEqual(wanted ?? undefined, got))
        throw new Contradiction('webhooks', `${JSON.stringify(webhook)} gets ${id}`, wanted, got);
    }
    const last = events.at(-1);
    if (last && sent.has(webhook.id)) model.sentUpTo.set(webhook.id, last.id);
  }
  const stored = await sql<StoredDelivery>('select id, webhook_id as "webhookId", event_id as "eventId" from webhook_deliveries');
  for (const delivery of stored) model.deliveries.set(delivery.id, delivery);
}

/** Sends what is due. Returns the bodies by event, for each webhook that the service may send to. */
async function sendEvents(database: World['database']): Promise<Map<string, Map<string, unknown>>> {
  const sent = new Map<string, Map<string, unknown>>();
  const list = async () => (await listDeliverableWebhooks(database)).webhooks;
  // A worker that is stopping sends what it finds. Of each record, the next event is due after that.
  for (let webhooks = await list(); webhooks.length > 0; webhooks = (await list()).filter(({ hasDue }) => hasDue))
    await Promise.all(
      webhooks.map((webhook) => {
        const bodies = sent.get(webhook.id) ?? new Map<string, unknown>();
        sent.set(webhook.id, bodies);
        const client: WebhookWorkerOptions['client'] = {
          async send({ id, body }) {
            bodies.set(id, parse(String(body)));
            return answered(204);
          },
          close: async () => undefined,
        };
        return new WebhookWorker(webhook, [], { ...options, database, client }).run();
      }),
    );
  return sent;
}

const options: Omit<WebhookWorkerOptions, 'database' | 'client'> = {
  events: { isStopping: true, wait: () => Promise.reject(new Error('A worker that is stopping must not wait')) },
  // As many as a worker reads at once.
  concurrency: 50,
  inTurn: (work) => work(),
  now: () => new Date(),
  log: createLog('silent'),
  onAttempt: () => undefined,
};
