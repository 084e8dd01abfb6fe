import { z } from 'zod';
import { access } from './access.ts';
import { defineEndpoint, largestMaxBodyBytes } from './endpoint.ts';
import { exampleIds } from './examples.ts';
import { Uuid } from './fields.ts';

const params = {
  userId: Uuid.meta({ description: 'Id of the user whose scope it is.', example: exampleIds.user }),
  tenantId: Uuid.meta({ description: 'Id of a tenant that the user is a member of.', example: exampleIds.tenant }),
};
const ScopeKind = z.enum(['ALL', 'RESTRICTED']).meta({
  id: 'OrganizationScopeKind',
  description:
    'Organizations of a tenant that a member can access. `ALL`: every organization linked to the tenant. `RESTRICTED`: only the granted ones.',
});

const EffectiveScope = z
  .enum(['ALL', 'RESTRICTED', 'ALL_BY_PERSONA'])
  .meta({ id: 'EffectiveOrganizationScope', description: 'Scope that applies to a member.' });

const OrganizationScope = z
  .object({
    scope: ScopeKind.describe('Saved scope. It applies unless the persona of the member overrides it: see `effectiveScope`.'),
    organizationIds: z.array(Uuid).describe('Ids of the granted organizations. Empty if `scope` is `ALL`.'),
    effectiveScope: EffectiveScope.describe(
      'Scope that applies. `ALL_BY_PERSONA`: the member is a tenant-admin, who sees all organizations of the tenant whatever `scope` is saved.',
    ),
  })
  .meta({
    id: 'OrganizationScope',
    description: 'Which organizations of a tenant a member can access.',
    example: { scope: 'RESTRICTED', organizationIds: [exampleIds.organization], effectiveScope: 'RESTRICTED' },
  });

const OrganizationScopeSet = z
  .object({
    scope: ScopeKind.describe('Scope to save. A tenant-admin sees all organizations of the tenant, whatever is saved.'),
    organizationIds: z
      .array(Uuid)
      .max(25_000)
      .optional()
      .describe(
        'Ids of the organizations to grant, at most 25,000. Required if `scope` is `RESTRICTED`, ignored if it is `ALL`. An empty list grants none.',
      ),
  })
  .refine(({ scope, organizationIds }) => scope === 'ALL' || organizationIds !== undefined, {
    path: ['organizationIds'],
    error: 'Required when scope is RESTRICTED',
  })
  .meta({
    id: 'OrganizationScopeSet',
    description: 'The new scope of a member, which replaces the saved one.',
    example: { scope: 'RESTRICTED', organizationIds: [exampleIds.organization] },
  });

const accessFor = (action: 'read' | 'update') =>
  access.user('user-tenant-organizations', action, 'resource:user-tenant-organizations', { globalOnly: true });

export const organizationScopes = {
  get: defineEndpoint('GET /api/users/{userId}/tenants/{tenantId}/organizations', accessFor('read'), {
    summary: 'Get the scope of a member',
    description: 'Returns which organizations of the tenant the member can access.',
    params,
    output: OrganizationScope,
    success: 200,
    versioned: 'organizationScope',
    errors: ['USER_NOT_FOUND', 'USER_TENANT_NOT_FOUND'],
  }),
  set: defineEndpoint('PUT /api/users/{userId}/tenants/{tenantId}/organizations', accessFor('update'), {
    summary: 'Replace the scope of a member',
    description: 'Replaces the scope and all grants. Every granted organization must be linked to the tenant.',
    params,
    body: OrganizationScopeSet,
    maxBodyBytes: largestMaxBodyBytes,
    success: 204,
    versioned: 'organizationScope',
    events: ['organizationScope.updated'],
    errors: ['USER_NOT_FOUND', 'USER_TENANT_NOT_FOUND', 'ORGANIZATION_NOT_LINKED_TO_TENANT'],
  }),
};
