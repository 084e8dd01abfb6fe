import { absentId } from '@profile-service/contracts/examples';
import type { Webhook } from '../../test/oracle/model.ts';
import { next } from './draws.ts';
import { type Case, type Driver, type DrawContext, type Input, isRefusal, refuse } from './driver.ts';
import { drawFilters } from './fields.ts';
import { drive } from './records.ts';
import { endpointOf } from './resource.ts';

/** An address that no webhook may have. */
const privateUrl = 'https://10.0.0.1/';

const resource = drive<Webhook>('webhook', {
  draw: ({ random }) => ({
    url: random.chance(0.1) ? privateUrl : `http://localhost:1024/m${next()}x`,
    types: random.oneOf(['*'], ['organization.*', 'user.created']),
  }),
  faults: (_it, { url }) => (url === privateUrl ? ['WEBHOOK_URL_NOT_ALLOWED'] : []),
});

/** The driver of an endpoint of a webhook that changes no record. */
const ofWebhook = (body: (answered: Input, it: Case) => unknown, draw: (context: DrawContext) => Input = () => ({})): Driver => ({
  draw: (context) => ({ ...draw(context), ...resource.get.draw(context) }),
  outcome(it) {
    const found = resource.get.outcome(it);
    return isRefusal(found) ? found : { body: (answered) => body(answered, it) };
  },
});

/** The driver of an endpoint of a delivery, usually with the id of its webhook. Nothing predicts the attempts. */
const ofDelivery: Driver = {
  draw(context) {
    const { random, model } = context;
    const { id: deliveryId, webhookId } = random.pick([...model.deliveries.values()]) ?? { id: absentId, webhookId: absentId };
    return {
      ...(random.chance(0.7) ? { id: webhookId } : resource.get.draw(context)),
      deliveryId: random.chance(0.9) ? deliveryId : absentId,
    };
  },
  outcome(it) {
    const found = resource.get.outcome(it);
    if (isRefusal(found)) return found;
    const { id, deliveryId } = it.input;
    return it.model.deliveries.get(String(deliveryId))?.webhookId === id
      ? { body: (answered) => ({ ...answered, id: deliveryId }) }
      : refuse('WEBHOOK_DELIVERY_NOT_FOUND');
  },
};

export const webhookDeliveries: Record<'list' | 'get' | 'retry' | 'skip', Driver> = {
  list: ofWebhook(
    ({ data, ...others }, { model, input }) => ({
      ...others,
      data: (data as { id: string }[]).filter(({ id }) => model.deliveries.get(id)?.webhookId === input['id']),
    }),
    (context) => drawFilters(context, endpointOf('webhookDeliveries.list').query),
  ),
  get: ofDelivery,
  retry: ofDelivery,
  skip: ofDelivery,
};

/** With an active tenant, the new webhook belongs to it, whatever the body says. */
const withActiveTenant = ({ who, input }: Case): Input => (who.tenant ? { ...input, tenantId: who.tenant.id } : input);

export const webhooks: Record<keyof typeof resource | 'rotateSecret' | 'test' | 'replay', Driver> = {
  ...resource,
  create: { ...resource.create, outcome: (it) => resource.create.outcome({ ...it, input: withActiveTenant(it) }) },
  // No process listens at the port.
  test: ofWebhook((answered) => ({ ...answered, responseStatus: null })),
  replay: ofWebhook(
    (_answered, { input: { id } }) => ({ id }),
    () => ({ startDate: '2020-01-01' }),
  ),
  rotateSecret: {
    draw: resource.get.draw,
    outcome(it) {
      const found = resource.get.outcome(it);
      if (isRefusal(found)) return found;
      // The model has no secrets, but the rotation adds an event.
      return { body: ({ secret, previousSecretExpiresAt }) => ({ secret, previousSecretExpiresAt }), change: () => undefined };
    },
  },
};
