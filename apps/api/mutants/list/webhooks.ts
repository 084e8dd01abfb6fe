import { removeCall, replace } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const test = 'apps/api/test/resources/webhooks.test.ts';
const delivery = 'apps/api/test/webhooks/delivery.test.ts';
const log = 'apps/api/test/webhooks/log.test.ts';
const webhookTest = 'apps/api/test/webhooks/webhook-test.test.ts';

/** Who has webhooks, where they may lead, and who learns their secrets. */
export const webhooks: readonly Mutant[] = [
  mutant(
    'A user reads and changes webhooks of every tenant',
    replace('webhookInScope', "eb('webhooks.tenantId', '=', scope.tenantId)", 'eb.lit(true)'),
  ),
  mutant(
    'A tenant-admin makes a webhook that gets the events of another tenant, or of all',
    replace('scopedTables.insertWebhook', '{ ...values, tenantId: scope.tenantId }', 'values'),
  ),
  mutant('A RESTRICTED member gets all events of the tenant through a webhook', replace('contracts/wholeTenant', 'true', 'false'), test),
  mutant('A new webhook leads to an internal address', removeCall('resources/webhooks.create', 'assertUrlAllowed'), test),
  mutant('A webhook is changed to an internal address', removeCall('resources/webhooks.update', 'assertUrlAllowed'), test),
  mutant(
    'A tenant makes an instance resolve any number of host names at once',
    replace('createConcurrencyLimits', 'maxWebhookChecks', 'Infinity'),
    test,
  ),
  mutant('A change of a webhook that was disabled sends events again', replace('resources/webhooks.update', 'input.active', 'true'), test),
  mutant(
    'A reader of the database learns the secrets of webhooks',
    replace('resources/webhooks.create', 'secretBox.encrypt(secret)', 'Buffer.from(secret)'),
    test,
  ),
  mutant(
    'A reader of the database learns the secrets of webhooks from the responses that are stored for idempotency keys',
    [
      replace('sealSecret', 'secretBoxOf(_).encrypt(secret).toString(_)', 'secret'),
      replace('openSecret', 'secretBoxOf(_).decrypt(_)', 'sealed'),
    ],
    test,
  ),
  mutant(
    'The encrypted secrets are in the audit log and in events',
    replace('migrations/webhooks', "['secret', 'previous_secret', 'previous_secret_expires_at']", '[]'),
    'apps/api/test/resources/crud.test.ts',
  ),
  mutant(
    'A secret that was replaced twice stays valid',
    replace('resources/rotateSecret', "eb.ref('webhooks.secret')", "eb.fn.coalesce('webhooks.previousSecret', 'webhooks.secret')"),
    test,
  ),
  mutant(
    'A user of another tenant lists the deliveries of a webhook',
    replace('listDeliveries', 'scopedTables(scope)', "scopedTables({ kind: 'all' })"),
    log,
  ),
  mutant(
    'A user of another tenant reads a delivery of a webhook',
    replace('getDelivery', 'scoped.webhooks()', 'scoped.webhooks().clearWhere()'),
    log,
  ),
  mutant(
    'A user of another tenant retries or skips deliveries of a webhook, or replays events to it',
    replace('lockWebhookProgress', 'scoped.webhooks()', 'scoped.webhooks().clearWhere()'),
    log,
  ),
  mutant(
    'A delivery of another webhook is shown',
    replace('getDelivery', "join.onRef('delivery.webhookId', '=', 'webhooks.id')", 'join'),
    log,
  ),
  mutant(
    'A delivery of another webhook is changed',
    replace('change-delivery/key', 'sql`webhook_id = ${_} and id = ${_id}`', 'sql`id = ${_id}`'),
    log,
  ),
  mutant('A webhook of a tenant gets the events of all tenants', replace('WebhookWorker.constructor', 'webhook.tenantId === null', 'true')),
  mutant(
    'A webhook gets events about webhooks of other tenants',
    replace('eventVisible', '{ webhook: ofTenant }', "{ webhook: eb('events.recordType', '=', 'webhook') }"),
  ),
  mutant(
    'A webhook learns which hidden fields of a user changed',
    replace('WebhookWorker.#enqueue', "this.#scope.kind === 'tenant'", 'false'),
  ),
  mutant(
    'A webhook gets an event that it may no longer see at the time of the attempt',
    replace('findEvents', "eventVisible(scope, 'webhook')", 'sql`true`'),
    delivery,
  ),
  mutant(
    'A webhook of an inactive tenant gets events',
    replace(
      'isDeliverable',
      "'active and disabled_at is null and not exists (select from tenants where tenants.id = webhooks.tenant_id and not tenants.active)'",
      "'active and disabled_at is null'",
    ),
  ),
  mutant('After a skip, the next event of the record is never sent', replace('change-delivery/skip', 'now', 'sql`null`'), log),
  mutant('A replay sends events that the webhook may not see', replace('addBatch', "eventVisible(scope, 'webhook')", 'sql`true`'), log),
  mutant(
    'A test is signed with an expired secret',
    replace('secretsOf', 'new Date(previousSecretExpiresAt) > new Date()', 'true'),
    webhookTest,
  ),
  mutant(
    'A tenant makes an instance send any number of tests at once',
    replace('webhookSettings', 'limited(caller, () => client.send(request))', 'client.send(request)'),
    webhookTest,
  ),
];
