import { z } from 'zod';
import { access } from './access.ts';
import { Uuid } from './fields.ts';
import { defineEndpoint } from './endpoint.ts';
import { Persona, User } from './users.ts';

const membership = {
  id: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e62',
  customerId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e60',
  appId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e61',
  name: 'Harvest for Cooperativa Central',
  active: true,
  persona: 'coordinator',
};

const tenantUser = {
  id: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f',
  name: 'Ana Souza',
  email: 'ana@example.com',
  type: 'Coordinator',
  jobTitle: 'Field coordinator',
  persona: 'coordinator',
};

/** A tenant as one of its members sees it. A link from before personas were introduced has none. */
export const Membership = z
  .object({ id: Uuid, customerId: Uuid, appId: Uuid, name: z.string(), active: z.boolean(), persona: Persona.nullable() })
  .meta({ id: 'Membership', example: membership });

export const MembershipList = z.object({ data: z.array(Membership) }).meta({ id: 'MembershipList', example: { data: [membership] } });

const MembershipAssign = z
  .object({ tenantId: Uuid, persona: Persona })
  .meta({ id: 'MembershipAssign', example: { tenantId: membership.id, persona: 'viewer' } });

const MembershipKey = z
  .object({ userId: Uuid, tenantId: Uuid })
  .meta({ id: 'MembershipKey', example: { userId: tenantUser.id, tenantId: membership.id } });

const TenantUser = User.pick({ id: true, name: true, email: true, type: true, jobTitle: true })
  .extend({ persona: Persona.nullable() })
  .meta({ id: 'TenantUser', example: tenantUser });

const TenantUserList = z.object({ data: z.array(TenantUser) }).meta({ id: 'TenantUserList', example: { data: [tenantUser] } });

export const memberships = {
  list: defineEndpoint('GET /api/users/{userId}/tenants', access.user('users', 'read', 'resource:users_id'), {
    summary: "List a user's tenants",
    params: { userId: Uuid },
    output: MembershipList,
    success: 200,
    errors: ['USER_NOT_FOUND'],
  }),
  assign: defineEndpoint('POST /api/users/{userId}/tenants', access.user('users', 'update', 'resource:users_id'), {
    summary: 'Link a user to a tenant, or change the persona of the link',
    params: { userId: Uuid },
    body: MembershipAssign,
    output: MembershipKey,
    success: 201,
    errors: ['USER_NOT_FOUND', 'TENANT_NOT_FOUND'],
  }),
  remove: defineEndpoint('DELETE /api/users/{userId}/tenants/{tenantId}', access.user('users', 'update', 'resource:users_id'), {
    summary: 'End a membership; idempotent',
    params: { userId: Uuid, tenantId: Uuid },
    success: 204,
    errors: ['USER_NOT_FOUND'],
  }),
  users: defineEndpoint('GET /api/tenants/{tenantId}/users', access.user('users', 'read', 'resource:tenants_id'), {
    summary: "List a tenant's users",
    params: { tenantId: Uuid },
    output: TenantUserList,
    success: 200,
    errors: ['TENANT_NOT_FOUND'],
  }),
};
