import { z } from 'zod';
import { access, actions } from './access.ts';
import { Uuid } from './fields.ts';
import { MembershipList } from './memberships.ts';
import { defineEndpoint } from './endpoint.ts';
import { Persona, UserType } from './users.ts';

const permission = { resource: 'resource:organizations', scopes: ['read', 'update'] };

const Permission = z
  .object({ resource: z.string(), scopes: z.array(z.enum(actions).meta({ id: 'Scope' })) })
  .meta({ id: 'Permission', example: permission });

const Permissions = z
  .object({
    userId: Uuid,
    name: z.string(),
    email: z.string(),
    type: UserType,
    isSuperAdmin: z.boolean(),
    tenantId: Uuid.nullable().describe('The active tenant'),
    persona: Persona.nullable(),
    permissions: z.array(Permission),
    organizationScope: z.enum(['ALL', 'TENANT', 'RESTRICTED', 'NONE']),
    allowedOrganizationIds: z
      .array(Uuid)
      .nullable()
      .describe('The granted ids where the scope is RESTRICTED, [] where it is NONE, else null'),
  })
  .meta({
    id: 'Permissions',
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
    summary: 'List the tenants that the caller can work in',
    output: MembershipList,
    success: 200,
  }),
  permissions: defineEndpoint('GET /api/me/permissions', access.me, {
    summary: 'Say who the caller is and what they may do with this token and tenant',
    output: Permissions,
    success: 200,
  }),
};
