import type { ErrorDeclarations } from './declaration.ts';

/** Records that do not exist, or that the caller may not see. The response is the same in both cases. */
export const notFoundErrors = {
  USER_NOT_FOUND: {
    status: 404,
    title: 'User not found',
    when: 'No user has this id.',
    cause: 'The user was deleted, or the id is that of the identity (`idIdentity`) instead of the user.',
    action: 'Take the `id` of a user from `GET /api/users`. Remove deleted users from your own data.',
  },
  CUSTOMER_NOT_FOUND: {
    status: 404,
    title: 'Customer not found',
    when: 'No customer has this id.',
    cause: 'The customer was deleted, or the `customerId` of the request comes from another installation.',
    action: 'Take the id from `GET /api/customers`.',
  },
  APP_NOT_FOUND: {
    status: 404,
    title: 'App not found',
    when: 'No app has this id.',
    cause: 'The app was deleted, or the `appId` of the request comes from another installation.',
    action: 'Take the id from `GET /api/apps`.',
  },
  TENANT_NOT_FOUND: {
    status: 404,
    title: 'Tenant not found',
    when: 'No tenant that is visible to the caller has this id.',
    cause:
      'The tenant was deleted. Or a member asked for another tenant than the active one: a user who is not Global sees only the active tenant.',
    action:
      'Send the id of the active tenant in the path, and the same id as `X-Tenant-Id`. `GET /api/me/tenants` lists the tenants of the caller.',
  },
  USER_TENANT_NOT_FOUND: {
    status: 404,
    title: 'Membership not found',
    when: 'The user is not a member of the tenant.',
    cause: 'The membership was removed, or was never created. User and tenant both exist.',
    action: 'Create the membership with `POST /api/users/{userId}/tenants` before you set its organization scope.',
  },
  ORGANIZATION_NOT_FOUND: {
    status: 404,
    title: 'Organization not found',
    when: 'No organization that is visible to the caller has this id or tax id.',
    cause: 'The organization was deleted, is not linked to the active tenant, or is outside the RESTRICTED scope of the membership.',
    action: 'Check the active tenant. An application links an organization to its tenant when it looks it up by `federalTaxId`.',
  },
  ORGANIZATION_ADDRESS_NOT_FOUND: {
    status: 404,
    title: 'Address not found',
    when: 'No address that is visible to the caller has this id.',
    cause: 'The address or its organization was deleted, or the organization is outside the organization scope of the caller.',
    action: 'Take the id from `GET /api/organization-addresses?organizationId=…`.',
  },
  ORGANIZATION_CONTACT_NOT_FOUND: {
    status: 404,
    title: 'Contact not found',
    when: 'No contact that is visible to the caller has this id.',
    cause: 'The contact or its organization was deleted, or the organization is outside the organization scope of the caller.',
    action: 'Take the id from `GET /api/organization-contacts?organizationId=…`.',
  },
  DOCUMENT_TYPE_NOT_FOUND: {
    status: 404,
    title: 'Document type not found',
    when: 'No document type has this id.',
    cause: 'The document type was deleted, or the id comes from another installation.',
    action: 'Take the id from `GET /api/document-types`.',
  },
  STATE_NOT_FOUND: {
    status: 404,
    title: 'State not found',
    when: 'No state has this `stateCode`.',
    cause:
      'The value is not an IBGE state code. Operations that create an organization, or create or update a city, return 400 `INVALID_STATE` instead.',
    action: 'Take `stateCode` from `GET /api/states`.',
  },
  CITY_NOT_FOUND: {
    status: 404,
    title: 'City not found',
    when: 'No city has this code.',
    cause: 'The value is not an IBGE city code of seven digits. Operations that create an organization return 400 `INVALID_CITY` instead.',
    action: 'Take `ibgeCode` from `GET /api/cities`.',
  },
  ATTACHMENT_NOT_FOUND: {
    status: 404,
    title: 'Attachment not found',
    when: 'No attachment that is visible to the caller has this id.',
    cause: 'The attachment was deleted, belongs to another tenant, or its organization is outside the organization scope of the caller.',
    action: 'Check the active tenant, and take the id from `GET /api/attachments`.',
  },
} as const satisfies ErrorDeclarations;
