// Generated from packages/contracts by `pnpm generate client`. Do not edit.

/** The error codes of the service, as of this version of the client. */
export type ErrorCode =
  /** 400: The request is malformed or a field is invalid. `errors` lists each invalid field. */
  | 'VALIDATION_FAILED'
  /** 400: No state has the `stateCode` of the request. */
  | 'INVALID_STATE'
  /** 400: No city has the `cityCode` of the request. */
  | 'INVALID_CITY'
  /** 400: The city with this `cityCode` is not in the state with this `stateCode`. */
  | 'CITY_STATE_MISMATCH'
  /** 400: At least one of the `organizationIds` is not linked to the tenant. */
  | 'ORGANIZATION_NOT_LINKED_TO_TENANT'
  /** 400: The address is closed (`validTo` is set). Only the current address of an organization can be changed. */
  | 'ORGANIZATION_ADDRESS_NOT_CURRENT'
  /** 400: The service may not send requests to this `url`. `detail` says why. */
  | 'WEBHOOK_URL_NOT_ALLOWED'
  /** 404: No route has this path, or no procedure has this name. */
  | 'ROUTE_NOT_FOUND'
  /** 405: The route does not support this method. The header `Allow` lists the methods that it supports. */
  | 'METHOD_NOT_ALLOWED'
  /** 415: The route does not support the `Content-Type` of the request body. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** 401: The bearer token is missing, invalid or expired. */
  | 'UNAUTHORIZED'
  /** 403: The token is valid, but no user of this service has its `sub`. */
  | 'USER_NOT_PROVISIONED'
  /** 403: The token is not an application's own, or its client (`azp`) is not linked to an active tenant. */
  | 'CLIENT_NOT_LINKED'
  /** 403: The user is a member of no tenant or of several. Send `X-Tenant-Id` to choose one. */
  | 'ACTIVE_TENANT_REQUIRED'
  /** 403: `X-Tenant-Id` is not the id of an active tenant that the user is a member of. */
  | 'TENANT_NOT_ALLOWED'
  /** 403: The membership of the user in the active tenant has no persona. */
  | 'PERSONA_NOT_ASSIGNED'
  /** 403: Neither the persona nor the roles of the caller allow this action. */
  | 'NOT_ALLOWED'
  /** 403: The organization is outside the caller's organization scope. */
  | 'NOT_ALLOWED_ORGANIZATION'
  /** 404: No user has this id. */
  | 'USER_NOT_FOUND'
  /** 404: No customer has this id. */
  | 'CUSTOMER_NOT_FOUND'
  /** 404: No app has this id. */
  | 'APP_NOT_FOUND'
  /** 404: No tenant that is visible to the caller has this id. */
  | 'TENANT_NOT_FOUND'
  /** 404: The user is not a member of the tenant. */
  | 'USER_TENANT_NOT_FOUND'
  /** 404: No organization that is visible to the caller has this id or tax id. */
  | 'ORGANIZATION_NOT_FOUND'
  /** 404: No address that is visible to the caller has this id. */
  | 'ORGANIZATION_ADDRESS_NOT_FOUND'
  /** 404: No contact that is visible to the caller has this id. */
  | 'ORGANIZATION_CONTACT_NOT_FOUND'
  /** 404: No document type has this id. */
  | 'DOCUMENT_TYPE_NOT_FOUND'
  /** 404: No state has this `stateCode`. */
  | 'STATE_NOT_FOUND'
  /** 404: No city has this code. */
  | 'CITY_NOT_FOUND'
  /** 404: No attachment that is visible to the caller has this id. */
  | 'ATTACHMENT_NOT_FOUND'
  /** 404: No webhook that is visible to the caller has this id. */
  | 'WEBHOOK_NOT_FOUND'
  /** 404: The webhook has no delivery with this id. */
  | 'WEBHOOK_DELIVERY_NOT_FOUND'
  /** 404: No import that is visible to the caller has this id. */
  | 'IMPORT_NOT_FOUND'
  /** 409: The import has ended, so it cannot be cancelled. */
  | 'IMPORT_NOT_RUNNING'
  /** 409: Another user has this `email` or this `federalTaxId`. */
  | 'USER_ALREADY_EXISTS'
  /** 409: The identity with this `email` is linked to another user. */
  | 'IDENTITY_ALREADY_LINKED'
  /** 409: The `federalTaxId` and the `email` do not belong to the same user. */
  | 'USER_DATA_MISMATCH'
  /** 409: Another customer has this `federalTaxId`. */
  | 'CUSTOMER_ALREADY_EXISTS'
  /** 409: Another app has this `name`. */
  | 'APP_ALREADY_EXISTS'
  /** 409: Another organization has this `federalTaxId`. */
  | 'ORGANIZATION_ALREADY_EXISTS'
  /** 409: Another document type has this `name`. */
  | 'DOCUMENT_TYPE_ALREADY_EXISTS'
  /** 409: Another state has this `stateCode` or this `uf`. */
  | 'STATE_ALREADY_EXISTS'
  /** 409: Another city has this `ibgeCode` or this `siafiId`. */
  | 'CITY_ALREADY_EXISTS'
  /** 409: Another tenant has this `identityClientId`. */
  | 'IDENTITY_CLIENT_ALREADY_LINKED'
  /** 409: Tenants or users still refer to the customer. */
  | 'CUSTOMER_IN_USE'
  /** 409: Tenants still refer to the app. */
  | 'APP_IN_USE'
  /** 409: Other tenants are linked to the organization. */
  | 'ORGANIZATION_IN_USE'
  /** 409: Cities or addresses still refer to the state. */
  | 'STATE_IN_USE'
  /** 409: Addresses still refer to the city. */
  | 'CITY_IN_USE'
  /** 409: A request with this `Idempotency-Key` and the same input is still running. `Retry-After` states the seconds to wait. */
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  /** 412: The record has changed since the client read the version in `If-Match`. Nothing was changed. Read the record again. */
  | 'PRECONDITION_FAILED'
  /** 422: This `Idempotency-Key` came with another operation, active tenant or input. Send a new key for a new request. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** 410: The event of the cursor is no longer kept, or a restore of the database has undone it. */
  | 'EVENT_CURSOR_EXPIRED'
  /** 400: The form has no file in the part `file`. */
  | 'FILE_REQUIRED'
  /** 400: The content type of the file is not allowed, or the content does not match it. */
  | 'InvalidAttachmentTypeError'
  /** 400: The object storage did not store the file. Nothing was saved. */
  | 'FailedToUploadFileError'
  /** 400: The object storage did not return the file. */
  | 'FailedToDownloadFileError'
  /** 400: Reserved; not used at present. If the object storage does not delete a file at once, the service deletes it later. */
  | 'FailedToDeleteFileError'
  /**
   * 400: The file of an import cannot be read: its header lacks a required column or names an unknown one, it is not UTF-8, or a quote is
   * not closed. `detail` names the columns or the line.
   */
  | 'INVALID_IMPORT_FILE'
  /** 416: The file has no byte in the requested `Range`. The header `Content-Range` states its size. */
  | 'RANGE_NOT_SATISFIABLE'
  /** 413: The request body exceeds a limit, or the responses of a tRPC batch do. `detail` states the limit. */
  | 'PAYLOAD_TOO_LARGE'
  /**
   * 429: A rate limit of the caller or the address, or a concurrency limit of the tenant, is exceeded. `Retry-After` states the seconds to
   * wait.
   */
  | 'RATE_LIMITED'
  /** 429: The tenant has as many event streams open on this instance as it may have. `Retry-After` states the seconds to wait. */
  | 'TOO_MANY_STREAMS'
  /** 500: The service failed unexpectedly. Report the request id in `instance`: the log has the details. */
  | 'INTERNAL_ERROR'
  /** 503: The service is overloaded, or the database is unreachable at the moment. `Retry-After` states the seconds to wait. */
  | 'SERVICE_UNAVAILABLE'
  /** 503: The identity provider is unreachable or returned an error. `Retry-After` states the seconds to wait. */
  | 'IDENTITY_PROVIDER_UNAVAILABLE';
