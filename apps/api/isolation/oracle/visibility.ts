import { type Address, type Attachment, type Contact, isLinked, type Model, type Organization } from '../model.ts';
import type { Standing } from './standing.ts';

/** Decisions, part 3: what is in a caller's scope. A soft-deleted organization is in nobody's, and what belongs to it neither. */
export function seesOrganization(model: Model, { reach, tenant, membership }: Standing, organizationId: string): boolean {
  if (!model.organizations.has(organizationId)) return false;
  if (reach === 'ALL') return true;
  if (!tenant || !isLinked(model, organizationId, tenant.id)) return false;
  return reach === 'TENANT' || (reach === 'RESTRICTED' && membership?.grants.has(organizationId) === true);
}

export const seesPartOf = (model: Model, who: Standing, { organizationId }: Address | Contact): boolean =>
  seesOrganization(model, who, organizationId);

/** Whether the id is, or was, an organization's. */
export const isOrganization = (model: Model, id: string): boolean => model.organizations.has(id) || model.deletedOrganizations.has(id);

export function seesAttachment(model: Model, who: Standing, { entityId, tenantId, userId }: Attachment): boolean {
  if (entityId !== null && isOrganization(model, entityId)) return seesOrganization(model, who, entityId);
  if (who.reach === 'ALL') return true;
  if (!who.tenant || tenantId !== who.tenant.id) return false;
  return who.reach === 'TENANT' || (who.reach === 'RESTRICTED' && userId === who.user?.id);
}

export const seesDocument = (model: Model, who: Standing, { entityType, entityId }: Attachment): boolean =>
  entityType === 'DOCUMENT' && entityId !== null && seesOrganization(model, who, entityId);

/**
 * What a caller who names an organization outside their scope learns: the same whether or not it exists. Only who sees all is told
 * that there is none.
 */
export const outOfReach = ({ reach }: Standing): string => (reach === 'ALL' ? 'ORGANIZATION_NOT_FOUND' : 'NOT_ALLOWED_ORGANIZATION');

export const visibleOrganizations = (model: Model, who: Standing): Organization[] =>
  [...model.organizations.values()].filter(({ id }) => seesOrganization(model, who, id));
