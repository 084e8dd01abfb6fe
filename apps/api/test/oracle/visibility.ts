import {
  type Address,
  type Attachment,
  type Contact,
  isLinked,
  type Model,
  type Organization,
  type StoredImport,
  type Webhook,
} from './model.ts';
import type { ResolvedCaller } from './caller.ts';

/** Whether an organization is in the caller's scope. A soft-deleted organization is in no scope. */
export function seesOrganization(model: Model, { organizationScope, tenant, membership }: ResolvedCaller, organizationId: string): boolean {
  if (!model.organizations.has(organizationId)) return false;
  if (organizationScope === 'ALL') return true;
  if (!tenant || !isLinked(model, organizationId, tenant.id)) return false;
  return organizationScope === 'TENANT' || (organizationScope === 'RESTRICTED' && membership?.grants.has(organizationId) === true);
}

export const seesPartOf = (model: Model, who: ResolvedCaller, { organizationId }: Address | Contact): boolean =>
  seesOrganization(model, who, organizationId);

/** Whether the id belongs or belonged to an organization. */
export const isOrganization = (model: Model, id: string): boolean => model.organizations.has(id) || model.deletedOrganizations.has(id);

export function seesAttachment(model: Model, who: ResolvedCaller, { entityId, tenantId, userId }: Attachment): boolean {
  if (entityId !== null && isOrganization(model, entityId)) return seesOrganization(model, who, entityId);
  if (who.organizationScope === 'ALL') return true;
  if (!who.tenant || tenantId !== who.tenant.id) return false;
  return who.organizationScope === 'TENANT' || (who.organizationScope === 'RESTRICTED' && userId === who.user?.id);
}

/** A webhook gets the events of a whole tenant: a RESTRICTED member sees none. */
export const seesWebhook = ({ organizationScope, tenant }: ResolvedCaller, { tenantId }: Webhook): boolean =>
  organizationScope === 'ALL' || (organizationScope === 'TENANT' && tenantId === tenant?.id);

/** The results of an import name records of the whole tenant: a RESTRICTED member sees only their own imports (IMPORTS-2). */
export const seesImport = ({ organizationScope, tenant, user }: ResolvedCaller, { tenantId, createdBy }: StoredImport): boolean =>
  organizationScope === 'ALL' ||
  (organizationScope !== 'NONE' && tenantId === tenant?.id && (organizationScope === 'TENANT' || createdBy === user?.id));

export const seesDocument = (model: Model, who: ResolvedCaller, { entityType, entityId }: Attachment): boolean =>
  entityType === 'DOCUMENT' && entityId !== null && seesOrganization(model, who, entityId);

/** The error code for an organizationId outside the scope. It is the same whether or not the organization exists, except for a caller who sees all. */
export const outsideScopeCode = ({ organizationScope }: ResolvedCaller): string =>
  organizationScope === 'ALL' ? 'ORGANIZATION_NOT_FOUND' : 'NOT_ALLOWED_ORGANIZATION';

export const visibleOrganizations = (model: Model, who: ResolvedCaller): Organization[] =>
  [...model.organizations.values()].filter(({ id }) => seesOrganization(model, who, id));
