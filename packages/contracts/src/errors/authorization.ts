import type { ErrorDeclarations } from './declaration.ts';

/** The caller is known, but may not do this, or not in this tenant. */
export const authorizationErrors = {
  ACTIVE_TENANT_REQUIRED: {
    status: 403,
    title: 'Active tenant required',
    when: 'The user is a member of no tenant or of several. Send `X-Tenant-Id` to choose one.',
    cause: 'A user of several tenants sent no `X-Tenant-Id`, or a user has no membership yet.',
    action:
      'List the tenants with `GET /api/me/tenants`, let the user choose, and send the id as `X-Tenant-Id`. If the list is empty, ask an administrator for a membership.',
  },
  TENANT_NOT_ALLOWED: {
    status: 403,
    title: 'Tenant not allowed',
    when: '`X-Tenant-Id` is not the id of an active tenant that the user is a member of.',
    cause:
      'The client kept the tenant of another user or session. Or the membership was removed, or the tenant was deactivated or deleted. A value that is no UUID has the same effect.',
    action: 'Read `GET /api/me/tenants` again, and choose one of these tenants.',
  },
  PERSONA_NOT_ASSIGNED: {
    status: 403,
    title: 'Persona not assigned',
    when: 'The membership of the user in the active tenant has no persona.',
    cause: 'The membership comes from an import without personas. Through the API, every membership gets a persona.',
    action: 'Ask an administrator to set it with `POST /api/users/{userId}/tenants`, or choose another tenant.',
  },
  NOT_ALLOWED: {
    status: 403,
    title: 'Not allowed',
    when: 'Neither the persona nor the roles of the caller allow this action.',
    cause: 'A viewer changes a record, a member uses an operation for Global users, or a user who is not Global creates a Global user.',
    action:
      'Hide actions that `GET /api/me/permissions` does not list. The description of each operation names who has access. Do not retry.',
  },
  NOT_ALLOWED_ORGANIZATION: {
    status: 403,
    title: 'Organization not allowed',
    when: "The organization is outside the caller's organization scope.",
    cause:
      'The organization is not linked to the active tenant, or the membership is RESTRICTED and does not include it. An id that does not exist has the same effect.',
    action:
      'Offer only organizations of `GET /api/organizations`. A Global user can extend the scope of a member with `PUT /api/users/{userId}/tenants/{tenantId}/organizations`.',
  },
} as const satisfies ErrorDeclarations;
