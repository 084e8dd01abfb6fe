import { z } from 'zod';
import { access, actions } from './access.ts';
import { defineEndpoint } from './endpoint.ts';
import { exampleIds } from './examples.ts';
import { Uuid } from './fields.ts';
import { MembershipList } from './memberships.ts';
import { Persona, User } from './users.ts';

const permission = { resource: 'resource:organizations', scopes: ['read', 'update'] };

const Action = z.enum(actions).meta({ id: 'Scope', description: 'An action on a resource: a scope of the identity provider.' });

const Permission = z
  .object({
    resource: z
      .string()
      .describe(
        'Name of the resource at the identity provider. `resource:organizations` is the collection, `resource:organizations_id` one record.',
      ),
    scopes: z.array(Action).describe('Actions that the caller may perform on the resource.'),
  })
  .meta({ id: 'Permission', description: 'A resource, and what the caller may do with it.', example: permission });

const CallerScope = z
  .enum(['ALL', 'TENANT', 'RESTRICTED', 'NONE'])
  .meta({ id: 'CallerOrganizationScope', description: 'Organizations that the caller can access.' });

const MyPermissions = z
  .object({
    userId: User.shape.id,
    ...User.pick({ name: true, email: true, type: true }).shape,
    isSuperAdmin: z
      .boolean()
      .describe('Whether the token has the realm role `super_admin`, which adds permissions. It differs from the type `Global` of a user.'),
    tenantId: Uuid.nullable().describe(
      'Id of the active tenant. Null if there is none: a Global user or a member of several tenants sent no `X-Tenant-Id`, or the caller may not use the tenant that it names.',
    ),
    persona: Persona.nullable().describe('Role of the caller in the active tenant. Null without an active tenant or a persona.'),
    permissions: z.array(Permission).describe('What the caller may do in the active tenant, by resource.'),
    organizationScope: CallerScope.describe(
      'Organizations that the caller can access. `ALL`: all of the platform. `TENANT`: those linked to the active tenant. `RESTRICTED`: those in `allowedOrganizationIds`. `NONE`: none.',
    ),
    allowedOrganizationIds: z
      .array(Uuid)
      .nullable()
      .describe('Ids of the granted organizations if `organizationScope` is `RESTRICTED`. Empty if it is `NONE`, otherwise null.'),
  })
  .meta({
    id: 'MyPermissions',
    description: 'The caller, and what the caller may do with this token in the active tenant.',
    example: {
      userId: exampleIds.user,
      name: 'Ana Souza',
      email: 'ana@example.com',
      type: 'Coordinator',
      isSuperAdmin: false,
      tenantId: exampleIds.tenant,
      persona: 'coordinator',
      permissions: [permission],
      organizationScope: 'TENANT',
      allowedOrganizationIds: null,
    },
  });

export const me = {
  tenants: defineEndpoint('GET /api/me/tenants', access.me, {
    summary: 'List my tenants',
    description: 'Contains the tenants that the caller can work in: they are active, and the caller has a persona in them.',
    output: MembershipList,
    success: 200,
  }),
  permissions: defineEndpoint('GET /api/me/permissions', access.me, {
    summary: 'Get my permissions',
    description:
      'Describes the caller, and what the caller may do with this token in the active tenant. A frontend uses it to show what is possible.',
    output: MyPermissions,
    success: 200,
  }),
};
