import { isLinked, type Key, type Model, removeRecord, type Tenant } from '../../test/oracle/model.ts';
import { visibleOrganizations } from '../../test/oracle/visibility.ts';
import { answer, type Driver, type DrawContext } from './driver.ts';
import { reading } from './read.ts';
import { drive } from './records.ts';

/** Sometimes a client that a tenant had before. */
const drawClient = ({ random }: DrawContext): string | null =>
  random.chance(0.2) ? null : random.oneOf('client-0', 'client-1', 'client-2', 'client-3', `client-${random.index(1_000)}`);

/** Removes a tenant's memberships, organization scopes, links and webhooks. Its files stay. */
function removeTenant(model: Model, tenantId: string): void {
  for (const [key, membership] of model.memberships) if (membership.tenantId === tenantId) model.memberships.delete(key);
  for (const { id, tenantId: of } of model.webhooks.values())
    if (of === tenantId) removeRecord(model, model.webhooks as Map<Key, unknown>, id);
  for (const { id, tenantId: of } of model.imports.values())
    if (of === tenantId) removeRecord(model, model.imports as Map<Key, unknown>, id);
  for (const link of model.links) if (link.endsWith(` ${tenantId}`)) model.links.delete(link);
  for (const attachment of model.attachments.values()) if (attachment.tenantId === tenantId) attachment.tenantId = null;
}

export const tenants: Record<'create' | 'list' | 'get' | 'update' | 'remove' | 'organizations', Driver> = {
  ...drive<Tenant>('tenant', {
    draw: (context) => (context.random.chance(0.5) ? { active: context.random.chance(0.6) } : { identityClientId: drawClient(context) }),
    // TENANTS-2
    refuseInput({ model, input: { customerId, appId } }) {
      if (typeof customerId === 'string' && !model.customers.has(customerId)) return 'CUSTOMER_NOT_FOUND';
      return typeof appId === 'string' && !model.apps.has(appId) ? 'APP_NOT_FOUND' : undefined;
    },
    removed: ({ model }, { id }) => removeTenant(model, id),
  }),
  organizations: reading('tenants.organizations', ({ model, who, input }) => {
    const linked = visibleOrganizations(model, who).filter(({ id }) => isLinked(model, id, String(input['tenantId'])));
    const data = linked.map(({ id, name, alias, federalTaxId, active, listed }) => ({ id, name, alias, federalTaxId, active, listed }));
    return answer({ data });
  }),
};
