import { resourcePath } from '../oracle/audit.ts';
import type { Actor } from '../support/api.ts';
import type { World } from '../support/world.ts';

type Shown = Record<string, unknown>;

/** Returns a record as its GET shows it to a Global user, or null. Memberships, links and attachments have no GET of their own: they are in lists. */
export async function shownRecord(world: World, type: string, id: string): Promise<Shown | null> {
  const get = async <Body = Shown>(path: string, actor: Actor = world.global): Promise<Body | null> => {
    const { status, body } = await world.call<Body>(actor, `GET /api/${path}`);
    return status === 200 ? body : null;
  };
  const [first = '', tenantId = ''] = id.split(':');
  switch (type) {
    case 'membership': {
      const list = await get<{ data: { id: string; persona: string }[] }>(`users/${first}/tenants`);
      const found = list?.data.find((membership) => membership.id === tenantId);
      const scope = await get(`users/${first}/tenants/${tenantId}/organizations`);
      return found && scope ? { userId: first, tenantId, persona: found.persona, scope: scope['scope'] } : null;
    }
    case 'organizationScope': {
      const scope = await get(`users/${first}/tenants/${tenantId}/organizations`);
      return scope && { userId: first, tenantId, scope: scope['scope'], organizationIds: scope['organizationIds'] };
    }
    case 'organizationLink': {
      const list = await get<{ data: { id: string }[] }>(`tenants/${tenantId}/organizations`);
      return list?.data.some((organization) => organization.id === first) ? { organizationId: first, tenantId } : null;
    }
    case 'attachment': {
      const list = await get<{ data: { id: string }[] }>('attachments?limit=100');
      return list?.data.find((attachment) => attachment.id === id) ?? null;
    }
    default:
      return get(`${resourcePath(type)}/${id}`);
  }
}

/** The fields that differ between two states of a record. */
export function differences(before: Shown | null, after: Shown | null): { field: string; before: unknown; after: unknown }[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((field) => field !== 'updatedAt');
  return fields
    .toSorted()
    .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}
