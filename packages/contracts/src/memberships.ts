import { z } from 'zod';
import { access } from './access.ts';
import { defineEndpoint } from './endpoint.ts';
import { exampleIds } from './examples.ts';
import { Uuid } from './fields.ts';
import { Persona, User } from './users.ts';

const membership = {
  id: exampleIds.tenant,
  customerId: exampleIds.customer,
  appId: exampleIds.app,
  name: 'Granary for Central do Vale',
  active: true,
  persona: 'coordinator',
};

const tenantUser = {
  id: exampleIds.user,
  name: 'Ana Souza',
  email: 'ana@example.com',
  type: 'Coordinator',
  jobTitle: 'Field coordinator',
  persona: 'coordinator',
};

/** Legacy memberships have no persona. */
const MemberPersona = Persona.nullable().describe(
  'Role of the user in this tenant, which decides what the user may do there. Null: the user gets 403 for every request in this tenant.',
);

/** A tenant of a user. */
export const Membership = z
  .object({
    id: Uuid.describe('Id of the tenant. The value of `X-Tenant-Id`.'),
    customerId: Uuid.describe('Id of the customer that the app runs for.'),
    appId: Uuid.describe('Id of the app that runs for the customer.'),
    name: z.string().describe('Display name of the tenant.'),
    active: z.boolean().describe('Whether users can work in the tenant. If false, they get 403 there.'),
    persona: MemberPersona,
  })
  .meta({ id: 'Membership', description: 'A tenant of a user, with the persona of the user in it.', example: membership });

export const MembershipList = z
  .object({ data: z.array(Membership).describe('All tenants of the user, not paginated.') })
  .meta({ id: 'MembershipList', description: 'Tenants of a user, without pages.', example: { data: [membership] } });

const key = {
  userId: User.shape.id.meta({ example: exampleIds.user }),
  tenantId: Membership.shape.id.meta({ example: exampleIds.tenant }),
};

const MembershipAssign = z
  .object({ tenantId: key.tenantId, persona: Persona.describe('Role that the user gets in this tenant. It replaces an existing one.') })
  .meta({
    id: 'MembershipAssign',
    description: 'A tenant for the user, and the persona there.',
    example: { tenantId: membership.id, persona: 'coordinator' },
  });

const MembershipKey = z.object(key).meta({
  id: 'MembershipKey',
  description: 'The membership that was created or changed.',
  example: { userId: tenantUser.id, tenantId: membership.id },
});

const TenantUser = User.pick({ id: true, name: true, email: true, type: true, jobTitle: true }).extend({ persona: MemberPersona }).meta({
  id: 'TenantUser',
  description: 'The main fields of a member, with the persona of the member in the tenant.',
  example: tenantUser,
});

const TenantUserList = z
  .object({ data: z.array(TenantUser).describe('All members of the tenant, not paginated.') })
  .meta({ id: 'TenantUserList', description: 'Members of a tenant, without pages.', example: { data: [tenantUser] } });

export const memberships = {
  list: defineEndpoint('GET /api/users/{userId}/tenants', access.user('users', 'read', 'resource:users_id'), {
    summary: 'List tenants of a user',
    description: 'Newest first, in one list without pages. Contains also inactive tenants, and those in which the user has no persona.',
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
    summary: 'List users of a tenant',
    description: 'Newest first, in one list without pages. Each user has the persona in this tenant.',
    params: { tenantId: key.tenantId },
    output: TenantUserList,
    success: 200,
    errors: ['TENANT_NOT_FOUND'],
  }),
};
