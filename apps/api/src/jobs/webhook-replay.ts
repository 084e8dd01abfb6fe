import { type EventTypeFilter, eventTypesOf } from '@profile-service/contracts';
import {
  addReplayBatch,
  comparePositions,
  type EventRange,
  hasMaxPending,
  lockReplayedWebhook,
  type ReplayFilters,
  scoped,
  unscoped,
} from '@profile-service/db';
import { defineJob } from './job.ts';

/** A part of a replay. */
interface Replay extends Omit<ReplayFilters, 'types'>, EventRange {
  /** Id of the webhook. */
  id: string;
  types?: EventTypeFilter[] | undefined;
}

/** When a replay continues that has found too many pending deliveries, in seconds. */
const fullSeconds = 60;

/**
 * Adds deliveries for the next events of a replay (DELIVERIES-6). The same transaction adds the job for the events after them, so that a replay of many events
 * neither runs long nor repeats events after a crash.
 */
export const webhookReplay = defineJob<Replay>({
  name: 'webhook-replay',
  // 12 retries: 10 pauses from 5 s to 1 hour, and 2 of 1 hour.
  queue: { retryLimit: 12, retryDelay: 5, retryBackoff: true, retryDelayMax: 3_600, expireInSeconds: 300 },
  pollSeconds: 15,
  async run(replay, { database, jobs }) {
    const effects: (() => void)[] = [];
    const isFull = await hasMaxPending(database, replay.id);
    await database.transaction(async (executor) => {
      const { id, upTo } = replay;
      const webhook = await scoped(executor, { kind: 'all' }).first(lockReplayedWebhook, { id });
      if (!webhook) return;
      const { tenantId } = webhook;
      const named = replay.types && eventTypesOf(replay.types);
      const types = eventTypesOf(webhook.types as EventTypeFilter[]).filter((type) => named?.includes(type) ?? true);
      const tables = scoped(executor, tenantId === null ? { kind: 'all' } : { kind: 'tenant', tenantId });
      const transaction = { unscoped: unscoped(executor), afterCommit: (effect: () => void) => effects.push(effect) };
      if (isFull) return jobs.add(transaction, webhookReplay, replay, fullSeconds);
      const after = await addReplayBatch(tables, { ...replay, types });
      if (after && comparePositions(after, upTo) < 0) await jobs.add(transaction, webhookReplay, { ...replay, after });
    });
    for (const effect of effects) effect();
  },
});
