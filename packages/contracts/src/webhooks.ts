import { z } from 'zod';
import { access } from './access.ts';
import { changesOf, describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { EventTypeFilter } from './events.ts';
import { exampleIds, exampleTimestamps } from './examples.ts';
import { LongText, timeFilters, Timestamp, timestamps, UrlText, Uuid } from './fields.ts';
import { defineList, equals, updatedSince } from './list.ts';
import { WebhookAttempt } from './webhook-deliveries.ts';

const editableExample = {
  url: 'https://hooks.example.com/profile',
  types: ['organization.*', 'membership.deleted'],
  description: 'Copy of the organizations in the ERP',
};
const example = {
  id: exampleIds.webhook,
  tenantId: exampleIds.tenant,
  ...editableExample,
  active: true,
  disabledAt: null,
  disabledReason: null,
  ...exampleTimestamps,
};

const DisabledReason = z
  .enum(['ENDPOINT_GONE', 'FAILING'])
  .meta({ id: 'WebhookDisabledReason', description: 'Why the service disabled a webhook.' });

export const Webhook = z
  .object({
    id: Uuid.describe('Id of the webhook, set by the service.'),
    tenantId: Uuid.nullable().describe(
      'Tenant whose events the webhook gets. Null: the events of all tenants. Only a Global user without an active tenant chooses it; for others it is the active tenant. Cannot be changed.',
    ),
    url: z
      .string()
      .describe(
        'URL to which the service sends events: `https`, without credentials, with the port 443, 8443 or one above 1023. The host name must resolve to public addresses only.',
      ),
    description: z.string().nullable().describe('What receives the events, at most 5,000 characters in a request. Null if unknown.'),
    types: z
      .array(z.string())
      .describe(
        'Types of the events to send, 1 to 50 in a request: `organization.updated`, all of a type of records (`organization.*`), or `*`.',
      ),
    active: z.boolean().describe('Whether the owner wants events to be sent. If true in a PUT, it also enables a disabled webhook again.'),
    disabledAt: Timestamp.nullable().describe('Time at which the service disabled the webhook. Null if it is not disabled.'),
    disabledReason: DisabledReason.nullable().describe(
      '`ENDPOINT_GONE`: the URL answered 410. `FAILING`: no request succeeded for 5 days. Null if it is not disabled.',
    ),
    ...timestamps,
  })
  .meta({
    id: 'Webhook',
    description: 'A URL to which the service sends events.',
    example,
  });

const secret = z
  .string()
  .describe('Secret that signs the requests: `whsec_` and the base64 of 32 random bytes. No other response contains it, so store it.');
const exampleSecret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

const WebhookCreated = Webhook.extend({ secret }).meta({
  id: 'WebhookCreated',
  description: 'A new webhook: a Webhook with its secret.',
  example: { ...example, secret: exampleSecret },
});

const WebhookSecret = z
  .object({
    secret,
    previousSecretExpiresAt: Timestamp.describe('Until then, requests are also signed with the previous secret.'),
  })
  .meta({
    id: 'WebhookSecret',
    description: 'The new secret of a webhook.',
    example: { secret: exampleSecret, previousSecretExpiresAt: '2026-01-16T12:00:00.000Z' },
  });

const editable = describeLike(Webhook, {
  url: UrlText.min(1),
  description: LongText.nullable(),
  types: z.array(EventTypeFilter).min(1).max(50),
  active: z.boolean(),
});

const WebhookCreate = z
  .object({
    tenantId: Webhook.shape.tenantId.default(null),
    ...editable,
    description: editable.description.optional(),
    active: editable.active.default(true),
  })
  .meta({ id: 'WebhookCreate', description: 'Fields of a new webhook.', example: editableExample });

const WebhookUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'WebhookUpdate', description: changesOf('a webhook'), example: { types: ['*'], active: true } });

const { startDate, endDate } = timeFilters('events');

const WebhookReplay = z
  .object({
    startDate: startDate.unwrap().describe('Only events at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z).'),
    endDate: endDate.describe('Only events at or before this date-time, or by the end of this date. Without it, up to now.'),
    types: editable.types.optional().describe('Only events of these types, as far as the webhook gets them.'),
    onlyFailed: z.boolean().default(false).describe('Only events whose last delivery to the webhook has failed.'),
  })
  .meta({
    id: 'WebhookReplay',
    description: 'Which events to send again.',
    example: { startDate: '2026-01-15T00:00:00Z', endDate: '2026-01-15T12:00:00Z', onlyFailed: true },
  });

const WebhookReplayStarted = z
  .object({ id: Webhook.shape.id.describe('Id of the webhook that gets the events.') })
  .meta({ id: 'WebhookReplayStarted', description: 'The webhook whose replay has begun.', example: { id: exampleIds.webhook } });

/** A webhook gets the events of its whole tenant. */
const wholeTenant = { wholeTenant: true };

const params = { id: Webhook.shape.id.meta({ example: exampleIds.webhook }) };

export const webhooks = {
  create: defineEndpoint('POST /api/webhooks', access.user('webhooks', 'create', 'resource:webhooks', wholeTenant), {
    summary: 'Create a webhook',
    description:
      'The webhook gets the events after its creation. Store the `secret` of the response, with which you verify the requests: no other response contains it.',
    body: WebhookCreate,
    output: WebhookCreated,
    success: 201,
    versioned: 'webhook',
    secretField: 'secret',
    events: ['webhook.created'],
    errors: ['TENANT_NOT_FOUND', 'WEBHOOK_URL_NOT_ALLOWED'],
  }),
  list: defineEndpoint('GET /api/webhooks', access.user('webhooks', 'read', 'resource:webhooks', wholeTenant), {
    summary: 'List webhooks',
    description: 'Newest first. With an active tenant, contains the webhooks of that tenant; for a Global user without one, all webhooks.',
    ...defineList('webhook', Webhook, {
      page: 'WebhookPage',
      sortable: ['id', 'tenantId', 'active', 'disabledAt', 'disabledReason', 'createdAt', 'updatedAt'],
      filters: { tenantId: equals(Uuid, 'Only webhooks of this tenant.'), ...updatedSince },
    }),
  }),
  get: defineEndpoint('GET /api/webhooks/{id}', access.user('webhooks', 'read', 'resource:webhooks_id', wholeTenant), {
    summary: 'Get a webhook',
    description: 'Returns the webhook without its secret.',
    params,
    output: Webhook,
    success: 200,
    versioned: 'webhook',
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/webhooks/{id}', access.user('webhooks', 'update', 'resource:webhooks_id', wholeTenant), {
    summary: 'Update a webhook',
    description: 'With `active: true`, also enables a disabled webhook again. The tenant and the secret cannot be changed here.',
    params,
    body: WebhookUpdate,
    output: Webhook,
    success: 200,
    versioned: 'webhook',
    events: ['webhook.updated'],
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_URL_NOT_ALLOWED'],
  }),
  remove: defineEndpoint('DELETE /api/webhooks/{id}', access.user('webhooks', 'delete', 'resource:webhooks_id', wholeTenant), {
    summary: 'Delete a webhook',
    description: 'No further request is sent to its URL.',
    params,
    success: 204,
    versioned: 'webhook',
    events: ['webhook.deleted'],
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
  rotateSecret: defineEndpoint('POST /api/webhooks/{id}/secret', access.user('webhooks', 'update', 'resource:webhooks_id', wholeTenant), {
    summary: 'Rotate the secret of a webhook',
    description:
      'Returns a new secret. For 24 hours, requests have two signatures: one with the new secret and one with the previous one. A further rotation within this time ends the older of the two.',
    params,
    output: WebhookSecret,
    success: 200,
    secretField: 'secret',
    events: ['webhook.updated'],
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
  test: defineEndpoint('POST /api/webhooks/{id}/test', access.user('webhooks', 'update', 'resource:webhooks_id', wholeTenant), {
    summary: 'Test a webhook',
    description:
      'Sends one event of the type `webhook.test` to the URL now, also if the webhook is inactive or disabled, and returns the attempt. There is no retry, and no delivery.',
    params,
    output: WebhookAttempt,
    success: 200,
    events: [],
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
  replay: defineEndpoint('POST /api/webhooks/{id}/replay', access.user('webhooks', 'update', 'resource:webhooks_id', wholeTenant), {
    summary: 'Replay events to a webhook',
    description:
      'Sends the events of a time again, oldest first and with their ids, as deliveries of their own. Also sends events from before the creation of the webhook. The response comes before the deliveries are created.',
    params,
    body: WebhookReplay,
    output: WebhookReplayStarted,
    success: 202,
    events: [],
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
};
