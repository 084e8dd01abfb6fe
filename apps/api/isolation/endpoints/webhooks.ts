import type { Webhook } from '../../test/oracle/model.ts';
import { next } from './draws.ts';
import { type Case, type Driver, type Input, isRefusal } from './driver.ts';
import { drive } from './records.ts';

/** An address that no webhook may have. */
const privateUrl = 'https://10.0.0.1/';

const resource = drive<Webhook>('webhook', {
  draw: ({ random }) => ({
    url: random.chance(0.1) ? privateUrl : `https://hooks.example.com/m${next()}x`,
    types: random.oneOf(['*'], ['organization.*', 'user.created']),
  }),
  faults: (_it, { url }) => (url === privateUrl ? ['WEBHOOK_URL_NOT_ALLOWED'] : []),
});

/** With an active tenant, the new webhook belongs to it, whatever the body says. */
const withActiveTenant = ({ who, input }: Case): Input => (who.tenant ? { ...input, tenantId: who.tenant.id } : input);

export const webhooks: Record<keyof typeof resource | 'rotateSecret', Driver> = {
  ...resource,
  create: { ...resource.create, outcome: (it) => resource.create.outcome({ ...it, input: withActiveTenant(it) }) },
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
