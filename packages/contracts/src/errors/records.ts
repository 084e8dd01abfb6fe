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
  WEBHOOK_NOT_FOUND: {
    status: 404,
    title: 'Webhook not found',
    when: 'No webhook that is visible to the caller has this id.',
    cause: 'The webhook was deleted, or belongs to another tenant than the active one.',
    action: 'Check the active tenant, and take the id from `GET /api/webhooks`.',
  },
  WEBHOOK_DELIVERY_NOT_FOUND: {
    status: 404,
    title: 'Webhook delivery not found',
    when: 'The webhook has no delivery with this id.',
    cause: 'The delivery has ended and was created more than 30 days ago, or it belongs to another webhook.',
    action: 'Take the id from `GET /api/webhooks/{id}/deliveries`.',
  },
  IMPORT_NOT_FOUND: {
    status: 404,
    title: 'Import not found',
    when: 'No import that is visible to the caller has this id.',
    cause: 'It ended more than 7 days ago, or belongs to another tenant than the active one.',
    action: 'Check the active tenant, and take the id from `GET /api/imports`.',
  },
} as const satisfies ErrorDeclarations;

/** The request contradicts other records. */
export const conflictErrors = {
  IMPORT_NOT_RUNNING: {
    status: 409,
    title: 'Import not running',
    when: 'The import has ended, so it cannot be cancelled.',
    cause: 'It was completed, cancelled or failed before.',
    action: 'Nothing. `GET /api/imports/{id}` says how it ended.',
  },
  USER_ALREADY_EXISTS: {
    status: 409,
    title: 'User already exists',
    when: 'Another user has this `email` or this `federalTaxId`.',
    cause: 'The person was created before, perhaps for another tenant: a user exists once, and has a membership in each tenant.',
    action:
      'Find the user with `GET /api/users?email=…`, and add a membership instead of a second user. If no user has the address, the tax id is taken: search by `name` and compare `federalTaxId`.',
  },
  IDENTITY_ALREADY_LINKED: {
    status: 409,
    title: 'Identity already linked',
    when: 'The identity with this `email` is linked to another user.',
    cause:
      'The e-mail address of a user was changed here but not at the identity provider. Its former address still names that identity there.',
    action: 'Change the e-mail address of the identity at the identity provider, then repeat the request.',
  },
  USER_DATA_MISMATCH: {
    status: 409,
    title: 'User data mismatch',
    when: 'The `federalTaxId` and the `email` do not belong to the same user.',
    cause: 'An application registers a known person with a new e-mail address or with a mistyped tax id.',
    action: 'Ask the person to check both values. Send those that the user was created with. The response does not tell which one differs.',
  },
  CUSTOMER_ALREADY_EXISTS: {
    status: 409,
    title: 'Customer already exists',
    when: 'Another customer has this `federalTaxId`.',
    cause: 'The customer was created before, or an earlier request succeeded although its response was lost.',
    action:
      'Use the existing customer. Send an `Idempotency-Key` with each creation, so that a repeated request returns the first response.',
  },
  APP_ALREADY_EXISTS: {
    status: 409,
    title: 'App already exists',
    when: 'Another app has this `name`.',
    cause: 'The app was created before, or an earlier request succeeded although its response was lost.',
    action: 'Use the existing app from `GET /api/apps`, or choose another name.',
  },
  ORGANIZATION_ALREADY_EXISTS: {
    status: 409,
    title: 'Organization already exists',
    when: 'Another organization has this `federalTaxId`.',
    cause: 'Organizations are shared by all tenants. Another tenant may have created it, so that your lists do not contain it.',
    action:
      'An application looks it up with `GET /service/organizations/federal-tax-id/{federalTaxId}`, which also links it to the tenant.',
  },
  DOCUMENT_TYPE_ALREADY_EXISTS: {
    status: 409,
    title: 'Document type already exists',
    when: 'Another document type has this `name`.',
    cause: 'Document types are shared by all tenants, and another user has created this one.',
    action: 'Use the existing document type from `GET /api/document-types`, or choose another name.',
  },
  STATE_ALREADY_EXISTS: {
    status: 409,
    title: 'State already exists',
    when: 'Another state has this `stateCode` or this `uf`.',
    cause: 'All states of Brazil are loaded at the installation.',
    action: 'Change the existing state with `PUT /api/states/{stateCode}`.',
  },
  CITY_ALREADY_EXISTS: {
    status: 409,
    title: 'City already exists',
    when: 'Another city has this `ibgeCode` or this `siafiId`.',
    cause: 'All cities of Brazil are loaded at the installation.',
    action: 'Change the existing city with `PUT /api/cities/{ibgeCode}`.',
  },
  IDENTITY_CLIENT_ALREADY_LINKED: {
    status: 409,
    title: 'Identity client already linked',
    when: 'Another tenant has this `identityClientId`.',
    cause: 'The client of an application selects its tenant, so a client belongs to one tenant only.',
    action: 'Create a client at the identity provider for each tenant. To move a client, remove it from its tenant first.',
  },
  CUSTOMER_IN_USE: {
    status: 409,
    title: 'Customer in use',
    when: 'Tenants or users still refer to the customer.',
    cause: 'The customer has tenants or users. Deleted users count too, because they keep their reference.',
    action: 'Set `active` to false instead of deleting the customer.',
  },
  APP_IN_USE: {
    status: 409,
    title: 'App in use',
    when: 'Tenants still refer to the app.',
    cause: 'The app has at least one tenant, active or not.',
    action: 'Delete its tenants first, if they are not needed. Otherwise keep the app.',
  },
  ORGANIZATION_IN_USE: {
    status: 409,
    title: 'Organization in use',
    when: 'Other tenants are linked to the organization.',
    cause: 'Several tenants share the organization, and a member of one of them deletes it.',
    action:
      'Let the application of your tenant unlink it with `DELETE /service/organizations/{organizationId}/tenants`. A Global user without an active tenant can delete it.',
  },
  STATE_IN_USE: {
    status: 409,
    title: 'State in use',
    when: 'Cities or addresses still refer to the state.',
    cause: 'The state has cities, or addresses of organizations name it. Closed addresses count too.',
    action: 'Correct the state with PUT instead of deleting it.',
  },
  CITY_IN_USE: {
    status: 409,
    title: 'City in use',
    when: 'Addresses still refer to the city.',
    cause: 'Addresses of organizations name the city. Closed addresses count too.',
    action: 'Correct the city with PUT instead of deleting it.',
  },
} as const satisfies ErrorDeclarations;
