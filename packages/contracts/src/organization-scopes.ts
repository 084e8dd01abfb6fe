import { z } from 'zod';
import { access } from './access.ts';
import { Uuid } from './fields.ts';
import { defineEndpoint } from './endpoint.ts';

const params = { userId: Uuid, tenantId: Uuid };
const Kind = z.enum(['ALL', 'RESTRICTED']).meta({ id: 'OrganizationScopeKind' });

const OrganizationScope = z
  .object({
    scope: Kind,
    organizationIds: z.array(Uuid),
    effectiveScope: z.enum(['ALL', 'RESTRICTED', 'ALL_BY_PERSONA']).describe('A tenant-admin sees all, whatever is saved'),
  })
  .meta({ id: 'OrganizationScope', example: { scope: 'ALL', organizationIds: [], effectiveScope: 'ALL' } });

const OrganizationScopeSet = z
  .object({
    scope: Kind,
    organizationIds: z.array(Uuid).max(25_000).optional().describe('Needed for RESTRICTED; an empty list locks the user out'),
  })
  .refine(({ scope, organizationIds }) => scope === 'ALL' || organizationIds !== undefined, {
    path: ['organizationIds'],
    error: 'Needed for RESTRICTED',
  })
  .meta({ id: 'OrganizationScopeSet', example: { scope: 'RESTRICTED', organizationIds: ['01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f'] } });

const guard = (action: 'read' | 'update') =>
  access.user('user-tenant-organizations', action, 'resource:user-tenant-organizations', { globalOnly: true });

export const organizationScopes = {
  get: defineEndpoint('GET /api/users/{userId}/tenants/{tenantId}/organizations', guard('read'), {
    summary: 'Which organizations of the tenant the user reaches',
    params,
    output: OrganizationScope,
    success: 200,
    errors: ['USER_NOT_FOUND', 'USER_TENANT_NOT_FOUND'],
  }),
  set: defineEndpoint('PUT /api/users/{userId}/tenants/{tenantId}/organizations', guard('update'), {
    summary: 'Replace the organizations that the user reaches',
    params,
    body: OrganizationScopeSet,
    success: 204,
    errors: ['USER_NOT_FOUND', 'USER_TENANT_NOT_FOUND', 'ORGANIZATION_NOT_LINKED_TO_TENANT'],
  }),
};
