import { expect, test } from 'vitest';
import { insertDelivery } from '../support/deliveries.ts';
import { metricOf } from '../support/metrics.ts';
import { insertWebhook } from '../support/webhooks.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ MANAGEMENT_PORT: '0' });

test('the metrics count disabled and undecryptable webhooks, and show the age of the oldest event that an active webhook has not got', async () => {
  const tenant = await world.tenant();
  const url = 'https://hooks.example.com';
  // An active webhook that the service cannot send to, and one with a secret of the service, whose delivery is not due.
  const undecryptable = await insertWebhook(world, tenant);
  const { id } = await world.create<{ id: string }>('POST /api/webhooks', { url, types: ['user.created'] });
  const [disabled, inactive] = [await insertWebhook(world, tenant), await insertWebhook(world, tenant)];
  await world.sql("update webhooks set disabled_at = now(), disabled_reason = 'FAILING' where id = $1", [disabled]);
  await world.sql('update webhooks set active = false where id = $1', [inactive]);
  for (const webhookId of [undecryptable, id, disabled, inactive]) await insertDelivery(world, { webhookId, waits: true });
  for (const [webhookId, age] of Object.entries({ [id]: '1 hour', [disabled]: '2 hours', [inactive]: '3 hours' }))
    await world.sql('update webhook_deliveries set event_occurred_at = now() - $2::interval where webhook_id = $1', [webhookId, age]);
  const read = (name: string) => metricOf(world.service, `profile_${name}`);
  expect([await read('webhooks_disabled'), await read('webhooks_undecryptable')]).toEqual([1, 1]);
  expect(await read('webhook_oldest_event_age_seconds')).toBeGreaterThanOrEqual(3600);
  expect(await read('webhook_oldest_event_age_seconds')).toBeLessThan(7200);
});
