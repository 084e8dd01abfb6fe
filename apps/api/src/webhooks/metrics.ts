import { Counter, Gauge, type Registry } from 'prom-client';
import { type Database, isDeliverable } from '@profile-service/db';

const outcomes = { DELIVERED: 'delivered', PENDING: 'retried', FAILED: 'failed' } as const;

interface State {
  disabled: number;
  age: number;
}

/** Reads the state from the database, so each instance reports the same. */
const selectState = `
  select count(*) filter (where disabled_at is not null)::int as disabled,
    greatest(coalesce(extract(epoch from now() - min(
      (select min(event_occurred_at) from webhook_deliveries where webhook_id = webhooks.id and status = 'PENDING')
    ) filter (where ${isDeliverable})), 0), 0)::float8 as age
  from webhooks`;

/** Adds the metrics of webhooks to the registry. @returns counts an attempt */
export function createWebhookMetrics(registry: Registry, { pool }: Pick<Database, 'pool'>): (outcome: keyof typeof outcomes) => void {
  const registers = [registry];
  const attempts = new Counter({
    name: 'profile_webhook_attempts_total',
    help: 'Attempts to send an event to a webhook, by outcome: delivered, retried later, or failed for good',
    labelNames: ['outcome'],
    registers,
  });
  // Prometheus computes no increase for a counter that first appears with 1.
  for (const outcome of Object.values(outcomes)) attempts.inc({ outcome }, 0);
  let reading: Promise<State[]> | undefined;
  /** Both gauges of a scrape use one query. While the database is unreachable, they are absent. */
  const read = () =>
    (reading ??= pool
      .query<State>(selectState)
      .then(({ rows }) => rows)
      .catch(() => [])
      .finally(() => (reading = undefined)));
  const gauge = (name: string, help: string, field: keyof State) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const [state] = await read();
        this.reset();
        if (state) this.set(state[field]);
      },
    });
  gauge('profile_webhooks_disabled', 'Webhooks that the service has disabled', 'disabled');
  gauge('profile_webhook_oldest_event_age_seconds', 'Age of the event of the oldest pending delivery of an active webhook', 'age');
  return (outcome) => attempts.inc({ outcome: outcomes[outcome] });
}
