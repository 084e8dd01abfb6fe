import type { ErrorDeclarations } from './declaration.ts';

/** The request contradicts other records. */
export const conflictErrors = {
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
