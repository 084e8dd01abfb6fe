import { type Membership, type Model, pair, type Persona, personas, type User } from '../model.ts';
import { anyId, anyUserId } from './draws.ts';
import { answer, type Case, done, type Driver, refuse, type Scene } from './driver.ts';
import { memberships as membershipsShown } from './me.ts';
import { guardGlobal } from './users.ts';

/** Mostly a tenant of the user, where there is one. */
const drawMembership = (scene: Scene): { userId: string; tenantId: string } => {
  const { model, dice } = scene;
  const known = dice.pick([...model.memberships.values()]);
  if (known && dice.chance(0.6)) return { userId: known.userId, tenantId: known.tenantId };
  return { userId: anyUserId(scene), tenantId: anyId(scene, model.tenants) };
};

/** Links a user to a tenant, or changes the persona of the link: a new membership reaches all. */
export function assign(model: Model, userId: string, tenantId: string, persona: Persona): void {
  const known = model.memberships.get(pair(userId, tenantId));
  if (known) known.persona = persona;
  else model.memberships.set(pair(userId, tenantId), { userId, tenantId, persona, scope: 'ALL', grants: new Set() });
}

/** The live user whom the path names, and why it is refused. */
const userOf = ({ model, input }: Case): User | undefined => model.users.get(String(input['userId']));
const refuseUser = (it: Case): string | undefined => {
  const user = userOf(it);
  return user ? guardGlobal(it, user.type) : 'USER_NOT_FOUND';
};

export const memberships: Record<'list' | 'assign' | 'remove' | 'users', Driver> = {
  list: {
    draw: (scene) => ({ userId: anyUserId(scene) }),
    outcome(it) {
      const user = userOf(it);
      return user ? answer({ data: membershipsShown(it.model, user.id) }) : refuse('USER_NOT_FOUND');
    },
  },
  assign: {
    draw: (scene) => ({ ...drawMembership(scene), persona: scene.dice.pick(personas) }),
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
  users: {
    draw: (scene) => ({ tenantId: anyId(scene, scene.model.tenants) }),
    outcome({ model, input }) {
      const tenantId = String(input['tenantId']);
      if (!model.tenants.has(tenantId)) return refuse('TENANT_NOT_FOUND');
      const members = [...model.memberships.values()].filter((membership) => membership.tenantId === tenantId);
      return answer({
        data: members.flatMap(({ userId, persona }) => {
          const user = model.users.get(userId);
          return user ? [{ id: userId, name: user.name, email: user.email, type: user.type, jobTitle: user.jobTitle, persona }] : [];
        }),
      });
    },
  },
};

/** The membership of a live user; why there is none. */
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
      // What is saved does not bind a Global user.
      const saved = it.model.users.get(userId)?.type === 'Global' ? 'ALL' : scope;
      const effectiveScope = persona === 'tenant-admin' ? 'ALL_BY_PERSONA' : saved;
      return answer({ scope, organizationIds: [...grants], effectiveScope });
    },
  },
  set: {
    draw(scene) {
      const { model, dice } = scene;
      const drawn = drawMembership(scene);
      if (dice.chance(0.25)) return { ...drawn, scope: 'ALL' };
      const linked = [...model.organizations.keys()].filter((id) => model.links.has(pair(id, drawn.tenantId)));
      const foreign = dice.chance(0.15) ? [anyId(scene, model.organizations)] : [];
      return { ...drawn, scope: 'RESTRICTED', organizationIds: [...dice.some(linked), ...foreign] };
    },
    outcome(it) {
      const membership = membershipOf(it);
      if (typeof membership === 'string') return refuse(membership);
      const {
        scope,
        organizationIds = [],
        tenantId,
      } = it.input as {
        scope: 'ALL' | 'RESTRICTED';
        organizationIds?: string[];
        tenantId: string;
      };
      const granted = scope === 'ALL' ? [] : organizationIds;
      if (granted.some((id) => !it.model.links.has(pair(id, tenantId)))) return refuse('ORGANIZATION_NOT_LINKED_TO_TENANT');
      return done(() => Object.assign(membership, { scope, grants: new Set(granted) }));
    },
  },
};
