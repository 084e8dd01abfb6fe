import { Counter, Gauge, type Registry } from 'prom-client';
import { type Database, isDeliverable, listDeliverableWebhooks } from '@profile-service/db';
import type { SecretBox } from '@profile-service/webhooks';
import { decryptSecrets } from './decrypt-secrets.ts';

const outcomes = { DELIVERED: 'delivered', PENDING: 'retried', FAILED: 'failed' } as const;

interface State {
  disabled: number;
  age: number;
  undecryptable: number;
}

const selectState = `
  select count(*) filter (where disabled_at is not null)::int as disabled,
    greatest(coalesce(extract(epoch from now() - min(
      (select min(event_occurred_at) from webhook_deliveries where webhook_id = webhooks.id and status = 'PENDING')
    ) filter (where ${isDeliverable})), 0), 0)::float8 as age
  from webhooks`;

/** Reads the state from the database, so each instance reports the same. */
async function readState({ pool }: Pick<Database, 'pool'>, secretBox: SecretBox | undefined): Promise<State | undefined> {
  const { rows } = await pool.query<Omit<State, 'undecryptable'>>(selectState);
  const { webhooks } = await listDeliverableWebhooks({ pool });
  return rows[0] && { ...rows[0], undecryptable: webhooks.filter((webhook) => !decryptSecrets(secretBox, webhook)).length };
}

/** Adds the metrics of webhooks to the registry. @returns counts an attempt */
export function createWebhookMetrics(
  registry: Registry,
  database: Pick<Database, 'pool'>,
  secretBox: SecretBox | undefined,
): (outcome: keyof typeof outcomes) => void {
  const registers = [registry];
  const attempts = new Counter({
    name: 'profile_webhook_attempts_total',
    help: 'Attempts to send an event to a webhook, by outcome: delivered, retried later, or failed for good',
    labelNames: ['outcome'],
    registers,
  });
  // Prometheus computes no increase for a counter that first appears with 1.
  for (const outcome of Object.values(outcomes)) attempts.inc({ outcome }, 0);
  let reading: Promise<State | undefined> | undefined;
  /** The gauges of a scrape share one read. While the database is unreachable, they are absent. */
  const read = () =>
    (reading ??= readState(database, secretBox)
      .catch(() => undefined)
      .finally(() => (reading = undefined)));
  const gauge = (name: string, help: string, field: keyof State) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const state = await read();
        this.reset();
        if (state) this.set(state[field]);
      },
    });
  gauge('profile_webhooks_disabled', 'Webhooks that the service has disabled', 'disabled');
  gauge('profile_webhook_oldest_event_age_seconds', 'Age of the event of the oldest pending delivery of an active webhook', 'age');
  gauge('profile_webhooks_undecryptable', 'Active webhooks whose secret cannot be decrypted', 'undecryptable');
  return (outcome) => attempts.inc({ outcome: outcomes[outcome] });
}
