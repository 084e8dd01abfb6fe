import type { Contract } from '../src/index.ts';
import type { ExamplesOf, InvalidValues, Records } from './example.ts';
import { absent, absentId, badFlags, byId, idAndTimes, locator, long, longer, none, prose, required } from './values.ts';

const newWebhook = () => ({ url: 'https://hooks.example.com/profile', types: ['organization.*' as const] });
const ofWebhook = byId(({ create, tenant }) => create('POST /api/webhooks', { ...newWebhook(), tenantId: tenant.id }));
/** No process listens at this port. */
const ofClosedPort = byId(({ create, tenant }) =>
  create('POST /api/webhooks', { ...newWebhook(), url: 'http://localhost:1024/', tenantId: tenant.id }),
);

const invalid: InvalidValues = {
  url: ['', null, 7, `https://hooks.example.com/${longer(locator)}`],
  types: [[], Array.from({ length: 51 }, () => '*'), '*', null],
  'types.0': ['organization', 'organization.moved', 'house.created', '', null],
  description: [7],
  active: [...badFlags, null],
};
const lengths = { description: prose };
// A private address.
const errors = { WEBHOOK_URL_NOT_ALLOWED: () => ({ url: 'https://10.0.0.1/' }) };

/** The webhook is inactive, so that the delivery stays pending. */
const withDelivery = async ({ create, tenant, delivery }: Records) => {
  const { id } = await create('POST /api/webhooks', { ...newWebhook(), active: false, tenantId: tenant.id });
  return { id, deliveryId: (await delivery(id)).id };
};
const deliveryErrors = { WEBHOOK_NOT_FOUND: absent('id'), WEBHOOK_DELIVERY_NOT_FOUND: absent('deliveryId') };

export const webhookDeliveries: ExamplesOf<Contract['webhookDeliveries']> = {
  list: {
    valid: ofWebhook,
    optional: () => ({ status: 'PENDING', type: 'organization.*', eventId: absentId }),
    // Rules: DELIVERIES-1
    invalid: {
      status: ['pending'],
      type: ['organization'],
      eventId: ['7'],
      limit: ['0', '101', '1.5'],
      cursor: ['none', 'e30', longer(1024)],
    },
    errors: { WEBHOOK_NOT_FOUND: absent('id') },
    // Rules: DELIVERIES-1
    returns: async (records) => {
      const { id, deliveryId } = await withDelivery(records);
      return [
        { input: { id }, output: { data: [{ id: deliveryId, status: 'PENDING', attempts: [] }], nextCursor: null } },
        { input: { id, status: 'FAILED' }, output: { data: [], nextCursor: null } },
      ];
    },
  },
  get: { valid: withDelivery, errors: deliveryErrors },
  retry: { valid: withDelivery, errors: deliveryErrors },
  skip: { valid: withDelivery, errors: deliveryErrors },
};

export const webhooks: ExamplesOf<Contract['webhooks']> = {
  create: {
    valid: newWebhook,
    optional: async ({ newTenant }) => ({ tenantId: (await newTenant()).id, description: 'ERP', active: false }),
    limits: () => ({
      url: 'https://hooks.example.com/'.padEnd(locator, 'x'),
      types: Array.from({ length: 50 }, () => 'user.created'),
      description: long(prose),
    }),
    // Rules: WEBHOOKS-4
    invalid: { ...required({ url: invalid['url'] ?? [], types: invalid['types'] ?? [] }), ...invalid, tenantId: ['7'] },
    lengths,
    // Rules: WEBHOOKS-3, WEBHOOKS-5
    errors: { ...errors, TENANT_NOT_FOUND: absent('tenantId') },
    record: {
      generated: { ...idAndTimes, disabledAt: null, disabledReason: null },
      nullable: { description: null },
      defaults: { tenantId: null, active: true },
      onlyAfterPost: ['secret'],
    },
  },
  list: {
    valid: none,
    optional: ({ tenant }) => ({ tenantId: tenant.id }),
    invalid: { tenantId: ['7'] },
    // Rules: WEBHOOKS-9
    returns: async ({ newTenant, create }) => {
      const { id: tenantId } = await newTenant();
      const { id } = await create('POST /api/webhooks', { ...newWebhook(), tenantId });
      await create('POST /api/webhooks', newWebhook());
      return [{ input: { tenantId }, output: { data: [{ id, tenantId }], total: 1 } }];
    },
  },
  get: { valid: ofWebhook, errors: { WEBHOOK_NOT_FOUND: absent('id') } },
  update: {
    valid: async (records) => ({ ...(await ofWebhook(records)), types: ['*'] }),
    changes: () => ({ url: 'https://other.example.com/', description: 'Other', types: ['*'], active: false }),
    fixed: { id: 'no uuid', tenantId: 'no uuid', disabledAt: 'no time', secret: 7 },
    invalid,
    lengths,
    errors: { ...errors, WEBHOOK_NOT_FOUND: absent('id') },
  },
  remove: { valid: ofWebhook, errors: { WEBHOOK_NOT_FOUND: absent('id') } },
  rotateSecret: { valid: ofWebhook, errors: { WEBHOOK_NOT_FOUND: absent('id') } },
  test: {
    valid: ofClosedPort,
    errors: { WEBHOOK_NOT_FOUND: absent('id') },
    // Rules: DELIVERIES-8
    returns: async (records) => [{ input: await ofClosedPort(records), output: { responseStatus: null, responseBody: null } }],
  },
  replay: {
    valid: async (records) => ({ ...(await ofWebhook(records)), startDate: '2020-01-01' }),
    optional: () => ({ endDate: '2990-01-01T00:00:00.000Z', types: ['organization.created'], onlyFailed: true }),
    // Rules: DELIVERIES-6
    invalid: {
      ...required({ startDate: ['2026-02-30', '', null, 7] }),
      endDate: ['yesterday', null],
      types: invalid['types'] ?? [],
      'types.0': invalid['types.0'] ?? [],
      onlyFailed: [...badFlags, null],
    },
    errors: { WEBHOOK_NOT_FOUND: absent('id') },
  },
};
