import { randomUUID } from 'node:crypto';
import type { WebhookClient } from '@profile-service/webhooks';
import type { World } from './world.ts';

type Sent = Awaited<ReturnType<WebhookClient['send']>>;

/** Inserts a webhook of the tenant. The service cannot read its secret, so only the workers of a test send to it. @returns its id */
export async function insertWebhook({ sql }: Pick<World, 'sql'>, tenant: { id: string }): Promise<string> {
  const id = randomUUID();
  const insert =
    "insert into webhooks (id, tenant_id, url, types, secret) values ($1, $2, 'https://hooks.example.com', '{organization.*}', '')";
  await sql(insert, [id, tenant.id]);
  return id;
}

/** The result of an attempt that got this status. */
export const answered = (responseStatus: number, abort = false): Sent => ({
  at: new Date(),
  durationMs: 1,
  responseStatus,
  responseBody: '',
  error: null,
  retryAfterSeconds: null,
  abort,
});
