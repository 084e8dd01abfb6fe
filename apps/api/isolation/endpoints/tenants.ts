import { unsetFields } from '@profile-service/contracts/examples';
import { isLinked, type Model, type Tenant } from '../../test/oracle/model.ts';
import { visibleOrganizations } from '../../test/oracle/visibility.ts';
import { anyId, next, someOf } from './draws.ts';
import { answer, type Driver, type Input, refuse, type DrawContext } from './driver.ts';
import { drive } from './records.ts';

/** Sometimes the client of another tenant, or a client that a tenant had before. */
const drawClient = ({ model, random }: DrawContext): string | null => {
  if (random.chance(0.2)) return random.pick([...model.tenants.values()])?.identityClientId ?? null;
  return random.chance(0.2) ? null : random.oneOf('client-0', 'client-1', 'client-2', 'client-3', `client-${next()}`);
};
const clientIsTaken = (model: Model, client: unknown, by?: Tenant): boolean =>
  typeof client === 'string' && [...model.tenants.values()].some((tenant) => tenant !== by && tenant.identityClientId === client);

/** Removes a tenant's memberships, organization scopes and links. Its files stay. */
function removeTenant(model: Model, tenantId: string): void {
  for (const [key, membership] of model.memberships) if (membership.tenantId === tenantId) model.memberships.delete(key);
  for (const link of model.links) if (link.endsWith(` ${tenantId}`)) model.links.delete(link);
  for (const attachment of model.attachments.values()) if (attachment.tenantId === tenantId) attachment.tenantId = null;
}

const { create, list, get, update, remove } = drive<Tenant>({
  table: 'tenants',
  key: 'id',
  notFound: 'TENANT_NOT_FOUND',
  editable: ['name', 'active', 'metadata', 'identityClientId', 'allowedScopes'],
  drawCreation: (context) => ({
    customerId: anyId(context, context.model.customers),
    appId: anyId(context, context.model.apps),
    name: `Tenant ${next()}`,
    identityClientId: drawClient(context),
  }),
  drawChanges: (context): Input => {
    if (context.random.chance(0.5)) return { active: context.random.chance(0.6) };
    return someOf(context, { name: `Tenant ${next()}`, identityClientId: drawClient(context) });
  },
  refuseCreation: ({ model, input }) => {
    if (!model.customers.has(String(input['customerId']))) return 'CUSTOMER_NOT_FOUND';
    if (!model.apps.has(String(input['appId']))) return 'APP_NOT_FOUND';
    return clientIsTaken(model, input['identityClientId']) ? 'IDENTITY_CLIENT_ALREADY_LINKED' : undefined;
  },
  refuseChange: ({ model, input }, record) =>
    clientIsTaken(model, input['identityClientId'], record) ? 'IDENTITY_CLIENT_ALREADY_LINKED' : undefined,
  make: ({ input }, { id }) => ({ ...unsetFields('tenants.create'), ...input, id }) as unknown as Tenant,
  showCreated: ({ identityClientId: _, ...shown }) => shown,
  removed: ({ model }, { id }) => removeTenant(model, id),
});

export const tenants: Record<'create' | 'list' | 'get' | 'update' | 'remove' | 'organizations', Driver> = {
  create,
  list,
  get,
  update,
  remove,
  organizations: {
    draw: (context) => ({
      tenantId: context.random.chance(0.4) && context.who.tenant ? context.who.tenant.id : anyId(context, context.model.tenants),
    }),
    outcome({ model, who, input }) {
      const tenantId = String(input['tenantId']);
      if (!model.tenants.has(tenantId)) return refuse('TENANT_NOT_FOUND');
      const linked = visibleOrganizations(model, who).filter(({ id }) => isLinked(model, id, tenantId));
      return answer({
        data: linked.map(({ id, name, alias, federalTaxId, active, listed }) => ({ id, name, alias, federalTaxId, active, listed })),
      });
    },
  },
};
