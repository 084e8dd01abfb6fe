import { contract, eventTypesOf, ProblemError } from '@profile-service/contracts';
import {
  getDelivery,
  listDeliveries,
  lockWebhookProgress,
  type LoggedDelivery,
  retryDelivery,
  type ScopedDatabase,
  skipDelivery,
} from '@profile-service/db';
import { z } from 'zod';
import { read, write } from '../request/handler.ts';
import { listCursor } from '../request/list-cursor.ts';
import { implement } from '../request/router.ts';
import { webhookNotFound } from './webhooks.ts';

const notFound = () => new ProblemError('WEBHOOK_DELIVERY_NOT_FOUND');

const cursors = listCursor(z.object({ sequence: z.int().min(0) }));

const show = ({ recordType, recordId, ...delivery }: LoggedDelivery) => ({ ...delivery, record: { type: recordType, id: recordId } });

/** Runs a change of a delivery while the webhook's worker changes none. */
const lockWebhook = async ({ input, scoped }: { input: { id: string }; scoped: ScopedDatabase }): Promise<void> => {
  await scoped.first(lockWebhookProgress, { id: input.id }, webhookNotFound);
};

export const webhookDeliveries = implement(contract.webhookDeliveries, {
  list: read(async ({ input: { limit, cursor, ...filters }, scoped }) => {
    const { type, ...others } = filters;
    const before = cursor === undefined ? undefined : cursors.decode(cursor, filters).sequence;
    const types = type && eventTypesOf([type]);
    const rows = await scoped.all(listDeliveries, { ...others, types, before, limit: limit + 1 });
    if (rows.length === 0) throw webhookNotFound();
    const found = rows.filter((row): row is LoggedDelivery => row.id !== null);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return { data: page.map(show), nextCursor: last ? cursors.encode({ sequence: last.sequence }, filters) : null };
  }),

  get: read(async ({ input, scoped }) => {
    const found = await scoped.first(getDelivery, input, webhookNotFound);
    if (found.id === null) throw notFound();
    return show(found);
  }),

  retry: write(lockWebhook, async ({ input, scoped }) => show(await retryDelivery(scoped.atCommit, input, notFound))),

  skip: write(lockWebhook, async ({ input, scoped }) => show(await skipDelivery(scoped.atCommit, input, notFound))),
});
