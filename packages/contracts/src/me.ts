import { z } from 'zod';
import { access, scopes } from './access.ts';
import { Uuid } from './fields.ts';
import { MembershipList } from './memberships.ts';
import { route } from './route.ts';
import { Persona, UserType } from './users.ts';

const Permissions = z
  .object({
    userId: Uuid,
    name: z.string(),
    email: z.string(),
    type: UserType,
    isSuperAdmin: z.boolean(),
    tenantId: Uuid.nullable().describe('The active tenant'),
    persona: Persona.nullable(),
    permissions: z.array(z.object({ resource: z.string(), scopes: z.array(z.enum(scopes)) }).meta({ id: 'Permission' })),
    organizationScope: z.enum(['ALL', 'TENANT', 'RESTRICTED', 'NONE']),
    allowedOrganizationIds: z
      .array(Uuid)
      .nullable()
      .describe('The granted ids where the scope is RESTRICTED, [] where it is NONE, else null'),
  })
  .meta({ id: 'Permissions' });

export const me = {
  tenants: route('GET /api/me/tenants', access.me, {
    summary: 'List the tenants that the caller can work in',
    output: MembershipList,
    success: 200,
  }),
  permissions: route('GET /api/me/permissions', access.me, {
    summary: 'Say who the caller is and what they may do with this token and tenant',
    output: Permissions,
    success: 200,
  }),
};
