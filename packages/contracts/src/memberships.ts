import { z } from 'zod';
import { access } from './access.ts';
import { defineEndpoint } from './endpoint.ts';
import { Uuid } from './fields.ts';
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

/** Legacy memberships have no persona. */
const MemberPersona = Persona.nullable().describe(
  'Persona of the user in the tenant. Without one, the user gets 403 for every request in this tenant.',
);

/** A tenant of a user. */
export const Membership = z
  .object({
    id: Uuid.describe('Id of the tenant.'),
    customerId: Uuid.describe('Customer of the tenant.'),
    appId: Uuid.describe('App of the tenant.'),
    name: z.string().describe('Name of the tenant.'),
    active: z.boolean().describe('Whether the tenant is active. Neither users nor applications can work in an inactive tenant.'),
    persona: MemberPersona,
  })
  .meta({ id: 'Membership', example: membership });

export const MembershipList = z
  .object({ data: z.array(Membership).describe('Tenants of the user.') })
  .meta({ id: 'MembershipList', example: { data: [membership] } });

const key = { userId: User.shape.id, tenantId: Membership.shape.id };

const MembershipAssign = z
  .object({ tenantId: key.tenantId, persona: Persona.describe('Persona of the user in the tenant.') })
  .meta({ id: 'MembershipAssign', example: { tenantId: membership.id, persona: 'viewer' } });

const MembershipKey = z.object(key).meta({ id: 'MembershipKey', example: { userId: tenantUser.id, tenantId: membership.id } });

const TenantUser = User.pick({ id: true, name: true, email: true, type: true, jobTitle: true })
  .extend({ persona: MemberPersona })
  .meta({ id: 'TenantUser', example: tenantUser });

const TenantUserList = z
  .object({ data: z.array(TenantUser).describe('All members of the tenant.') })
  .meta({ id: 'TenantUserList', example: { data: [tenantUser] } });

export const memberships = {
  list: defineEndpoint('GET /api/users/{userId}/tenants', access.user('users', 'read', 'resource:users_id'), {
    summary: "List a user's tenants",
    description: 'Returns all memberships in one list, without pages.',
    params: { userId: key.userId },
    output: MembershipList,
    success: 200,
    errors: ['USER_NOT_FOUND'],
  }),
  assign: defineEndpoint('POST /api/users/{userId}/tenants', access.user('users', 'update', 'resource:users_id'), {
    summary: 'Assign a user to a tenant',
    description: 'Creates the membership, or changes its persona if it exists. A new membership has the organization scope ALL.',
    params: { userId: key.userId },
    body: MembershipAssign,
    output: MembershipKey,
    success: 201,
    events: ['membership.created', 'membership.updated'],
    errors: ['USER_NOT_FOUND', 'TENANT_NOT_FOUND'],
  }),
  remove: defineEndpoint('DELETE /api/users/{userId}/tenants/{tenantId}', access.user('users', 'update', 'resource:users_id'), {
    summary: 'Remove a user from a tenant',
    description: 'Deletes the membership with its organization scope. Also returns 204 if there is no membership.',
    params: key,
    success: 204,
    events: ['membership.deleted'],
    errors: ['USER_NOT_FOUND'],
  }),
  users: defineEndpoint('GET /api/tenants/{tenantId}/users', access.user('users', 'read', 'resource:tenants_id'), {
    summary: "List a tenant's users",
    description: 'Returns all members in one list, without pages.',
    params: { tenantId: key.tenantId },
    output: TenantUserList,
    success: 200,
    errors: ['TENANT_NOT_FOUND'],
  }),
};
