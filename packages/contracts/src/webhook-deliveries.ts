import { z } from 'zod';
import { access } from './access.ts';
import { defineEndpoint } from './endpoint.ts';
import { EventRecord, EventType, EventTypeFilter } from './events.ts';
import { exampleIds } from './examples.ts';
import { Timestamp, Uuid } from './fields.ts';

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const;

const attemptExample = { at: '2026-01-15T12:00:01.000Z', durationMs: 84, responseStatus: 204, responseBody: '', error: null };
const example = {
  id: exampleIds.delivery,
  eventId: exampleIds.event,
  type: 'organizationContact.updated',
  record: { type: 'organizationContact', id: exampleIds.contact },
  status: 'DELIVERED',
  attempts: [attemptExample],
  nextAttemptAt: null,
  createdAt: '2026-01-15T12:00:00.500Z',
};

const DeliveryStatus = z.enum(deliveryStatuses).meta({ id: 'WebhookDeliveryStatus', description: 'What became of a delivery.' });

export const WebhookAttempt = z
  .object({
    at: Timestamp.describe('Time at which the request was sent, in UTC with milliseconds.'),
    durationMs: z.int32().min(0).describe('Time until the end of the response, or until the attempt failed, in milliseconds.'),
    responseStatus: z.int32().nullable().describe('HTTP status of the response. Null if no response arrived.'),
    responseBody: z.string().nullable().describe('The first 1,024 characters of the response. Null if no response arrived.'),
    error: z
      .string()
      .nullable()
      .describe('Why the attempt failed, such as a refused connection. Null if a whole response arrived, whatever its status.'),
  })
  .meta({ id: 'WebhookAttempt', description: 'One request to the URL of a webhook.', example: attemptExample });

const WebhookDelivery = z
  .object({
    id: Uuid.describe('Id of the delivery, set by the service. A replay of the event is another delivery.'),
    eventId: Uuid.describe('Id of the event, which its requests have as `webhook-id`.'),
    type: EventType.describe('Type of the event, such as `organization.updated`.'),
    record: EventRecord.describe('The record that was changed.'),
    status: DeliveryStatus.describe(
      '`PENDING`: is to be sent. `DELIVERED`: the receiver has accepted the event. `FAILED`: is not sent again by itself.',
    ),
    attempts: z.array(WebhookAttempt).describe('The attempts so far, oldest first.'),
    nextAttemptAt: Timestamp.nullable().describe(
      'Earliest time of the next attempt, in UTC with milliseconds. Null if the delivery has ended, and while an earlier one of the same record is pending.',
    ),
    createdAt: Timestamp.describe('Time at which the delivery was created, in UTC with milliseconds.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event that the service sends to a webhook.', example });

const WebhookDeliveryList = z
  .object({
    data: z.array(WebhookDelivery).describe('Deliveries of this page, newest first.'),
    nextCursor: z.string().nullable().describe('Value of `cursor` for the next page. Null on the last page.'),
  })
  .meta({
    id: 'WebhookDeliveryList',
    description: 'One page of deliveries, without totals.',
    example: { data: [example], nextCursor: null },
  });

const ofWebhook = { id: Uuid.describe('Id of the webhook that gets the events.').meta({ example: exampleIds.webhook }) };
const params = { ...ofWebhook, deliveryId: WebhookDelivery.shape.id.meta({ example: exampleIds.delivery }) };

const accessFor = (action: 'read' | 'update') => access.user('webhooks', action, 'resource:webhooks_id', { wholeTenant: true });
const errors = ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND'] as const;

export const webhookDeliveries = {
  list: defineEndpoint('GET /api/webhooks/{id}/deliveries', accessFor('read'), {
    summary: 'List deliveries of a webhook',
    description:
      'Newest first, in pages without totals: send `nextCursor` as `cursor` until it is null. Deliveries that have ended are deleted 30 days after their creation.',
    params: ofWebhook,
    query: {
      status: DeliveryStatus.optional().describe('Only deliveries with this status.'),
      type: EventTypeFilter.optional().describe('Only deliveries of events of this type: `organization.updated`, or `organization.*`.'),
      eventId: Uuid.optional().describe('Only deliveries of this event: the first one, and those of replays.'),
      limit: z.int32().min(1).max(100).default(20).describe('Deliveries per page, from 1 to 100.'),
      cursor: z.string().max(1024).optional().describe('`nextCursor` of the previous page. Send it with the same filters.'),
    },
    output: WebhookDeliveryList,
    success: 200,
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
  get: defineEndpoint('GET /api/webhooks/{id}/deliveries/{deliveryId}', accessFor('read'), {
    summary: 'Get a delivery of a webhook',
    description: 'Returns the delivery with all its attempts.',
    params,
    output: WebhookDelivery,
    success: 200,
    errors,
  }),
  retry: defineEndpoint('POST /api/webhooks/{id}/deliveries/{deliveryId}/retry', accessFor('update'), {
    summary: 'Retry a delivery',
    description:
      'Sends the event again now, whatever the status of the delivery; after the earlier events of its record, if some are pending. An inactive or disabled webhook sends it when it is active again.',
    params,
    output: WebhookDelivery,
    success: 202,
    events: [],
    errors,
  }),
  skip: defineEndpoint('POST /api/webhooks/{id}/deliveries/{deliveryId}/skip', accessFor('update'), {
    summary: 'Skip a delivery',
    description:
      'A pending delivery becomes `FAILED`, and the next event of its record is sent. Does not change a delivery that has ended.',
    params,
    output: WebhookDelivery,
    success: 202,
    events: [],
    errors,
  }),
};
