import { type Membership, type Model, pair, type Persona, personas, type User } from '../../test/oracle/model.ts';
import { anyId, anyUserId } from './draws.ts';
import { answer, type Case, done, type Driver, refuse, type DrawContext } from './driver.ts';
import { memberships as membershipsShown } from './me.ts';
import { reading } from './read.ts';
import { guardGlobal } from './users.ts';

/** Usually an existing membership. */
const drawMembership = (context: DrawContext): { userId: string; tenantId: string } => {
  const { model, random } = context;
  const known = random.pick([...model.memberships.values()]);
  if (known && random.chance(0.6)) return { userId: known.userId, tenantId: known.tenantId };
  return { userId: anyUserId(context), tenantId: anyId(context, model.tenants) };
};

/** Links a user to a tenant, or changes the persona of an existing link. A new membership has scope ALL. */
export function assign(model: Model, userId: string, tenantId: string, persona: Persona): void {
  const known = model.memberships.get(pair(userId, tenantId));
  if (known) known.persona = persona;
  else model.memberships.set(pair(userId, tenantId), { userId, tenantId, persona, scope: 'ALL', grants: new Set() });
}

/** The user in the path. */
const userOf = ({ model, input }: Case): User | undefined => model.users.get(String(input['userId']));
const refuseUser = (it: Case): string | undefined => {
  const user = userOf(it);
  return user ? guardGlobal(it, user.type) : 'USER_NOT_FOUND';
};

export const memberships: Record<'list' | 'assign' | 'remove' | 'users', Driver> = {
  list: reading('memberships.list', ({ model, input }) => answer({ data: membershipsShown(model, String(input['userId'])) })),
  assign: {
    draw: (context) => ({ ...drawMembership(context), persona: context.random.pick(personas) }),
    outcome(it) {
      const { userId, tenantId, persona } = it.input as { userId: string; tenantId: string; persona: Persona };
      const refused = refuseUser(it) ?? (it.model.tenants.has(tenantId) ? undefined : 'TENANT_NOT_FOUND');
      return refused ? refuse(refused) : answer({ userId, tenantId }, () => assign(it.model, userId, tenantId, persona));
    },
  },
  remove: {
    draw: drawMembership,
    outcome(it) {
      const { userId, tenantId } = it.input as { userId: string; tenantId: string };
      const refused = refuseUser(it);
      return refused ? refuse(refused) : done(() => it.model.memberships.delete(pair(userId, tenantId)));
    },
  },
  users: reading('memberships.users', ({ model, input }) => {
    const members = [...model.memberships.values()].filter(({ tenantId }) => tenantId === input['tenantId']);
    const data = members.flatMap(({ userId, persona }) => {
      const user = model.users.get(userId);
      return user ? [{ id: userId, name: user.name, email: user.email, type: user.type, jobTitle: user.jobTitle, persona }] : [];
    });
    return answer({ data });
  }),
};

/** The membership that the path names; an error code if there is none. */
const membershipOf = ({ model, input }: Case): Membership | string => {
  const [userId, tenantId] = [String(input['userId']), String(input['tenantId'])];
  if (!model.users.has(userId)) return 'USER_NOT_FOUND';
  return model.memberships.get(pair(userId, tenantId)) ?? 'USER_TENANT_NOT_FOUND';
};

export const organizationScopes: Record<'get' | 'set', Driver> = {
  get: {
    draw: drawMembership,
    outcome(it) {
      const membership = membershipOf(it);
      if (typeof membership === 'string') return refuse(membership);
      const { scope, grants, persona, userId } = membership;
      // A saved scope does not apply to a Global user.
      const saved = it.model.users.get(userId)?.type === 'Global' ? 'ALL' : scope;
      const effectiveScope = persona === 'tenant-admin' ? 'ALL_BY_PERSONA' : saved;
      return answer({ scope, organizationIds: [...grants], effectiveScope });
    },
  },
  set: {
    draw(context) {
      const { model, random } = context;
      const drawn = drawMembership(context);
      if (random.chance(0.25)) return { ...drawn, scope: 'ALL' };
      const linked = [...model.organizations.keys()].filter((id) => model.links.has(pair(id, drawn.tenantId)));
      const foreign = random.chance(0.15) ? [anyId(context, model.organizations)] : [];
      return { ...drawn, scope: 'RESTRICTED', organizationIds: [...random.some(linked), ...foreign] };
    },
    outcome(it) {
      const membership = membershipOf(it);
      if (typeof membership === 'string') return refuse(membership);
      const { scope, organizationIds = [] } = it.input as { scope: 'ALL' | 'RESTRICTED'; organizationIds?: string[] };
      const granted = scope === 'ALL' ? [] : organizationIds;
      if (granted.some((id) => !it.model.links.has(pair(id, membership.tenantId)))) return refuse('ORGANIZATION_NOT_LINKED_TO_TENANT');
      return done(() => Object.assign(membership, { scope, grants: new Set(granted) }));
    },
  },
};
