import { newId, type Row } from '@profile-service/db';
import type { WebhookClient } from '@profile-service/webhooks';
import type { actorOf } from '../request/write-origin.ts';

type Request = Parameters<WebhookClient['send']>[0];

/** Returns the request that tests a webhook. It has the fields of an event, so that a receiver reads it as one. */
export function testRequest(
  { id: webhookId, url, tenantId }: Pick<Row<'webhooks'>, 'id' | 'url' | 'tenantId'>,
  secrets: string[],
  actor: ReturnType<typeof actorOf>,
): Request {
  const [id, at] = [newId(), new Date()];
  const occurredAt = at.toISOString();
  const record = { type: 'webhook', id: webhookId };
  const event = { id, type: 'webhook.test', occurredAt, actor, requestId: null, tenantId, organizationId: null, record, changed: [] };
  return { url, id, secrets, at, body: JSON.stringify({ ...event, data: {}, timestamp: occurredAt }) };
}
