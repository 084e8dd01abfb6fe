import { z } from 'zod';
import { access } from './access.ts';
import { describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { Uuid } from './fields.ts';

const params = { userId: Uuid.describe('Id of the user.'), tenantId: Uuid.describe('Id of the tenant.') };
const ScopeKind = z
  .enum(['ALL', 'RESTRICTED'])
  .meta({ id: 'OrganizationScopeKind', description: 'Organizations of a tenant that a member can access: all, or only granted ones.' });

const EffectiveScope = z
  .enum(['ALL', 'RESTRICTED', 'ALL_BY_PERSONA'])
  .meta({ id: 'EffectiveOrganizationScope', description: 'Scope that applies to a member.' });

const OrganizationScope = z
  .object({
    scope: ScopeKind.describe('Saved scope: all organizations of the tenant, or only the granted ones.'),
    organizationIds: z.array(Uuid).describe('Granted organizations. Empty when `scope` is ALL.'),
    effectiveScope: EffectiveScope.describe(
      'Scope that applies. ALL_BY_PERSONA: a tenant-admin sees all organizations, whatever scope is saved.',
    ),
  })
  .meta({ id: 'OrganizationScope', example: { scope: 'ALL', organizationIds: [], effectiveScope: 'ALL' } });

const OrganizationScopeSet = z
  .object({
    ...describeLike(OrganizationScope, { scope: ScopeKind }),
    organizationIds: z
      .array(Uuid)
      .max(25_000)
      .optional()
      .describe('Organizations to grant. Required if `scope` is RESTRICTED, ignored if it is ALL. An empty list grants none.'),
  })
  .refine(({ scope, organizationIds }) => scope === 'ALL' || organizationIds !== undefined, {
    path: ['organizationIds'],
    error: 'Required when scope is RESTRICTED',
  })
  .meta({ id: 'OrganizationScopeSet', example: { scope: 'RESTRICTED', organizationIds: ['01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f'] } });

const accessFor = (action: 'read' | 'update') =>
  access.user('user-tenant-organizations', action, 'resource:user-tenant-organizations', { globalOnly: true });

export const organizationScopes = {
  get: defineEndpoint('GET /api/users/{userId}/tenants/{tenantId}/organizations', accessFor('read'), {
    summary: "Get a member's organization scope",
    params,
    output: OrganizationScope,
    success: 200,
    versioned: 'organizationScope',
    errors: ['USER_NOT_FOUND', 'USER_TENANT_NOT_FOUND'],
  }),
  set: defineEndpoint('PUT /api/users/{userId}/tenants/{tenantId}/organizations', accessFor('update'), {
    summary: "Replace a member's organization scope",
    description: 'Replaces the scope and all grants. Every granted organization must be linked to the tenant.',
    params,
    body: OrganizationScopeSet,
    success: 204,
    versioned: 'organizationScope',
    events: ['organizationScope.updated'],
    errors: ['USER_NOT_FOUND', 'USER_TENANT_NOT_FOUND', 'ORGANIZATION_NOT_LINKED_TO_TENANT'],
  }),
};
