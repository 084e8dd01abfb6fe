import { isLinked, type Model, type Tenant } from '../model.ts';
import { visibleOrganizations } from '../oracle/visibility.ts';
import { anyId, next, someOf } from './draws.ts';
import { answer, type Driver, type Input, refuse, type Scene } from './driver.ts';
import { drive } from './records.ts';

/** Sometimes another tenant's client, or a client that one has just lost. */
const drawClient = ({ model, dice }: Scene): string | null => {
  if (dice.chance(0.2)) return dice.pick([...model.tenants.values()])?.identityClientId ?? null;
  return dice.chance(0.2) ? null : dice.oneOf('client-0', 'client-1', 'client-2', 'client-3', `client-${next()}`);
};
const clientIsTaken = (model: Model, client: unknown, by?: Tenant): boolean =>
  typeof client === 'string' && [...model.tenants.values()].some((tenant) => tenant !== by && tenant.identityClientId === client);

/** A tenant goes with its memberships, scopes and links; its files stay. */
function dissolve(model: Model, tenantId: string): void {
  for (const [key, membership] of model.memberships) if (membership.tenantId === tenantId) model.memberships.delete(key);
  for (const link of model.links) if (link.endsWith(` ${tenantId}`)) model.links.delete(link);
  for (const attachment of model.attachments.values()) if (attachment.tenantId === tenantId) attachment.tenantId = null;
}

const { create, list, get, update, remove } = drive<Tenant>({
  table: 'tenants',
  key: 'id',
  notFound: 'TENANT_NOT_FOUND',
  editable: ['name', 'active', 'metadata', 'identityClientId', 'allowedScopes'],
  drawCreation: (scene) => ({
    customerId: anyId(scene, scene.model.customers),
    appId: anyId(scene, scene.model.apps),
    name: `Tenant ${next()}`,
    identityClientId: drawClient(scene),
  }),
  drawChanges: (scene): Input => {
    if (scene.dice.chance(0.5)) return { active: scene.dice.chance(0.6) };
    return someOf(scene, { name: `Tenant ${next()}`, identityClientId: drawClient(scene) });
  },
  refuseCreation: ({ model, input }) => {
    if (!model.customers.has(String(input['customerId']))) return 'CUSTOMER_NOT_FOUND';
    if (!model.apps.has(String(input['appId']))) return 'APP_NOT_FOUND';
    return clientIsTaken(model, input['identityClientId']) ? 'IDENTITY_CLIENT_ALREADY_LINKED' : undefined;
  },
  refuseChange: ({ model, input }, record) =>
    clientIsTaken(model, input['identityClientId'], record) ? 'IDENTITY_CLIENT_ALREADY_LINKED' : undefined,
  make: ({ input }, { id }) => ({ id, active: true, metadata: null, allowedScopes: null, ...input }) as unknown as Tenant,
  showCreated: ({ identityClientId: _, ...shown }) => shown,
  removed: ({ model }, { id }) => dissolve(model, id),
});

export const tenants: Record<'create' | 'list' | 'get' | 'update' | 'remove' | 'organizations', Driver> = {
  create,
  list,
  get,
  update,
  remove,
  organizations: {
    draw: (scene) => ({ tenantId: scene.dice.chance(0.4) && scene.who.tenant ? scene.who.tenant.id : anyId(scene, scene.model.tenants) }),
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
