import { contract, ProblemError } from '@profile-service/contracts';
import {
  columns,
  findReplayRange,
  lockWebhookProgress,
  newId,
  now,
  type Placeholders,
  scopedPageStatement,
  scopedPatchStatement,
  scopedStatement,
  sendPendingNow,
} from '@profile-service/db';
import { createSecret } from '@profile-service/webhooks';
import { sql } from 'kysely';
import { bodyColumns, listedColumns } from '../request/declared-columns.ts';
import { external, type InputOf, read, write } from '../request/handler.ts';
import { loggedAttempt } from '../request/logged-attempt.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { webhookReplay } from '../jobs/webhook-replay.ts';
import { assertUrlAllowed, secretBoxOf, secretsOf } from '../request/webhook-settings.ts';
import { actorOf } from '../request/write-origin.ts';
import { findTenant, whenTenantDeleted } from './tenant-deleted.ts';
import { testRequest } from './webhook-test.ts';

/** The 404 of a webhook. */
export const webhookNotFound = () => new ProblemError('WEBHOOK_NOT_FOUND');

/** A time after all events. */
const endOfTime = '9999-12-31T23:59:59.999Z';

type ById = Placeholders<{ id: string }>;
type NewWebhook = InputOf<typeof contract.webhooks.create> & { id: string; secret: Buffer };

const insertWebhook = scopedStatement((scoped, p: Placeholders<NewWebhook>) =>
  scoped.insertWebhook(columns(p, 'id', 'secret', ...bodyColumns(contract.webhooks.create))).returningAll(),
);
const listWebhooks = scopedPageStatement(contract.webhooks.list, (scoped) =>
  scoped.webhooks().select(listedColumns(contract.webhooks.list, 'webhooks')),
);
const getWebhook = scopedStatement((scoped, p: ById) => scoped.webhooks().selectAll('webhooks').where('webhooks.id', '=', p.id));
const patchWebhook = scopedPatchStatement('webhooks', [
  ...bodyColumns(contract.webhooks.update, 'id'),
  'disabledAt' as const,
  'disabledReason' as const,
]);
const deleteWebhook = scopedStatement((scoped, p: ById) =>
  scoped.deleteFrom('webhooks').where('webhooks.id', '=', p.id).returning('webhooks.id'),
);
/** A rotation changes no column that the API shows, so it raises the version itself (WEBHOOKS-13). */
const rotateSecret = scopedStatement((scoped, p: Placeholders<{ id: string; secret: Buffer }>) =>
  scoped
    .updateTable('webhooks')
    .set((eb) => ({
      secret: p.secret,
      previousSecret: eb.ref('webhooks.secret'),
      previousSecretExpiresAt: sql<string>`now() + interval '24 hours'`,
      version: sql<number>`nextval('record_versions')`,
      updatedAt: now,
    }))
    .where('webhooks.id', '=', p.id)
    .returning(sql<string>`previous_secret_expires_at`.as('previousSecretExpiresAt')),
);

export const webhooks = implement(contract.webhooks, {
  create: external({
    async check({ input: { tenantId }, caller, unscoped }) {
      // With an active tenant, the body does not count.
      if (caller.organizationScope.kind !== 'all' || tenantId === null) return;
      await unscoped.first(findTenant, { id: tenantId }, () => new ProblemError('TENANT_NOT_FOUND'));
    },
    async run({ input, caller, webhooks: settings, transaction }) {
      const secretBox = secretBoxOf(settings);
      await assertUrlAllowed(settings, caller, input.url);
      const secret = createSecret();
      const values = { ...input, id: newId(), secret: secretBox.encrypt(secret) };
      const created = transaction(async ({ scoped }) => ({ ...(await scoped.atCommit.one(insertWebhook, values)), secret }));
      return caller.tenant ? created.catch(whenTenantDeleted(caller)) : created;
    },
  }),

  list: read(({ input, scoped }) => readList(scoped, listWebhooks, input)),

  get: read(({ input, scoped }) => scoped.first(getWebhook, input, webhookNotFound)),

  update: external({
    async run({ input, caller, webhooks: settings, transaction }) {
      if (input.url !== undefined) {
        // A transaction before the look-up of the host name: a 404 and a 412 come first, and the look-up must not hold a connection.
        const { url } = await transaction(({ scoped }) => scoped.first(getWebhook, input, webhookNotFound));
        if (input.url !== url) await assertUrlAllowed(settings, caller, input.url);
      }
      return transaction(async ({ scoped }) => {
        if (!input.active) return scoped.atCommit.patch(patchWebhook, input, webhookNotFound);
        await scoped.run(sendPendingNow, input);
        return scoped.atCommit.patch(patchWebhook, { ...input, disabledAt: null, disabledReason: null }, webhookNotFound);
      });
    },
  }),

  remove: write(async ({ input, scoped }) => {
    await scoped.atCommit.first(deleteWebhook, input, webhookNotFound);
  }),

  rotateSecret: external({
    check: ({ input, scoped }) => scoped.first(getWebhook, input, webhookNotFound),
    async run({ input: { id }, webhooks: settings, transaction }) {
      const secretBox = secretBoxOf(settings);
      const secret = createSecret();
      const values = { id, secret: secretBox.encrypt(secret) };
      return transaction(async ({ scoped }) => ({ ...(await scoped.atCommit.first(rotateSecret, values, webhookNotFound)), secret }));
    },
  }),

  test: external({
    check: ({ input, scoped }) => scoped.first(getWebhook, input, webhookNotFound),
    async run({ input, caller, scoped, webhooks: settings, transaction }) {
      const webhook = await scoped.first(getWebhook, input, webhookNotFound);
      const attempt = await settings.sendFor(caller, testRequest(webhook, secretsOf(settings, webhook), actorOf(caller)));
      // The transaction stores the response for an Idempotency-Key.
      return transaction(async () => loggedAttempt(attempt));
    },
  }),

  replay: write(async ({ input, scoped, jobs, ...transaction }) => {
    const { id, startDate, endDate, ...filters } = input;
    const { isDelivered, ...progress } = await scoped.first(lockWebhookProgress, { id }, webhookNotFound);
    // Otherwise it gets the later events when it is active again.
    const range = await findReplayRange(scoped, { startDate, endDate }, isDelivered ? undefined : progress);
    if (range) await jobs.add(transaction, webhookReplay, { id, startDate, endDate: endDate ?? endOfTime, ...filters, ...range });
    return { id };
  }),
});
