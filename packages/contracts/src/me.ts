import { z } from 'zod';
import { access, actions } from './access.ts';
import { defineEndpoint } from './endpoint.ts';
import { Uuid } from './fields.ts';
import { MembershipList } from './memberships.ts';
import { Persona, User } from './users.ts';

const permission = { resource: 'resource:organizations', scopes: ['read', 'update'] };

const Action = z.enum(actions).meta({ id: 'Scope', description: 'An action on a resource.' });

const Permission = z
  .object({
    resource: z.string().describe('Resource, such as `resource:organizations`.'),
    scopes: z.array(Action).describe('Actions that the caller may perform on the resource.'),
  })
  .meta({ id: 'Permission', example: permission });

const CallerScope = z
  .enum(['ALL', 'TENANT', 'RESTRICTED', 'NONE'])
  .meta({ id: 'CallerOrganizationScope', description: 'Organizations that the caller can access.' });

const MyPermissions = z
  .object({
    userId: User.shape.id,
    ...User.pick({ name: true, email: true, type: true }).shape,
    isSuperAdmin: z.boolean().describe('Whether the token has the realm role `super_admin`.'),
    tenantId: Uuid.nullable().describe('Active tenant. Null when there is none, or when `X-Tenant-Id` was refused.'),
    persona: Persona.nullable().describe('Persona of the caller in the active tenant.'),
    permissions: z.array(Permission).describe('What the caller may do, by resource.'),
    organizationScope: CallerScope.describe(
      'Organizations in scope: all, those of the active tenant, those granted to the caller, or none.',
    ),
    allowedOrganizationIds: z
      .array(Uuid)
      .nullable()
      .describe('Granted organizations when `organizationScope` is RESTRICTED, an empty list when it is NONE, otherwise null.'),
  })
  .meta({
    id: 'MyPermissions',
    example: {
      userId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f',
      name: 'Ana Souza',
      email: 'ana@example.com',
      type: 'Coordinator',
      isSuperAdmin: false,
      tenantId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e62',
      persona: 'coordinator',
      permissions: [permission],
      organizationScope: 'TENANT',
      allowedOrganizationIds: null,
    },
  });

export const me = {
  tenants: defineEndpoint('GET /api/me/tenants', access.me, {
    summary: "List the caller's tenants",
    description: 'Contains the active tenants in which the caller has a persona.',
    output: MembershipList,
    success: 200,
  }),
  permissions: defineEndpoint('GET /api/me/permissions', access.me, {
    summary: "Get the caller's permissions",
    description: 'Describes the caller, and what they may do with this token and active tenant.',
    output: MyPermissions,
    success: 200,
  }),
};
