import { z } from 'zod';

interface ErrorDeclaration {
  status: number;
  title: string;
  /** When the service responds with this code. It is the text of the errors page, and the default `detail`. */
  when: string;
}

/**
 * The catalogue of all error codes: the only place that states the status and the title of a code.
 * Problem documents, the OpenAPI document, the tRPC error shape, the client and the errors page derive from it.
 */
export const errors = {
  VALIDATION_FAILED: {
    status: 400,
    title: 'Validation failed',
    when: 'The request is malformed or a field is invalid. `errors` lists each invalid field.',
  },
  INVALID_STATE: { status: 400, title: 'Invalid state', when: 'No state has the `stateCode` of the request.' },
  INVALID_CITY: { status: 400, title: 'Invalid city', when: 'No city has the `cityCode` of the request.' },
  CITY_STATE_MISMATCH: {
    status: 400,
    title: 'City and state do not match',
    when: 'The city with this `cityCode` is not in the state with this `stateCode`.',
  },
  ORGANIZATION_NOT_LINKED_TO_TENANT: {
    status: 400,
    title: 'Organization not linked to tenant',
    when: 'At least one of the `organizationIds` is not linked to the tenant.',
  },
  ORGANIZATION_ADDRESS_NOT_CURRENT: {
    status: 400,
    title: 'Address is not current',
    when: 'The address is closed (`validTo` is set). Only the current address of an organization can be changed.',
  },
  FILE_REQUIRED: { status: 400, title: 'File required', when: 'The form has no file in the part `file`.' },
  InvalidAttachmentTypeError: {
    status: 400,
    title: 'Attachment type not allowed',
    when: 'The content type of the file is not allowed, or the content does not match it.',
  },
  FailedToUploadFileError: { status: 400, title: 'Upload failed', when: 'The object storage did not store the file. Nothing was saved.' },
  FailedToDownloadFileError: { status: 400, title: 'Download failed', when: 'The object storage did not return the file.' },
  FailedToDeleteFileError: {
    status: 400,
    title: 'Deletion of the file failed',
    when: 'Reserved; not used at present. If the object storage does not delete a file at once, the service deletes it later.',
  },
  UNAUTHORIZED: { status: 401, title: 'Unauthorized', when: 'The bearer token is missing, invalid or expired.' },
  NOT_ALLOWED: { status: 403, title: 'Not allowed', when: 'Neither the persona nor the roles of the caller allow this action.' },
  NOT_ALLOWED_ORGANIZATION: {
    status: 403,
    title: 'Organization not allowed',
    when: "The organization is outside the caller's organization scope.",
  },
  USER_NOT_PROVISIONED: {
    status: 403,
    title: 'User not provisioned',
    when: 'The token is valid, but no user of this service has its `sub`.',
  },
  ACTIVE_TENANT_REQUIRED: {
    status: 403,
    title: 'Active tenant required',
    when: 'The user is a member of no tenant or of several. Send `X-Tenant-Id` to choose one.',
  },
  TENANT_NOT_ALLOWED: {
    status: 403,
    title: 'Tenant not allowed',
    when: '`X-Tenant-Id` is not the id of an active tenant that the user is a member of.',
  },
  PERSONA_NOT_ASSIGNED: {
    status: 403,
    title: 'Persona not assigned',
    when: 'The membership of the user in the active tenant has no persona.',
  },
  CLIENT_NOT_LINKED: {
    status: 403,
    title: 'Client not linked',
    when: "The token is not an application's own, or its client (`azp`) is not linked to an active tenant.",
  },
  ROUTE_NOT_FOUND: { status: 404, title: 'Route not found', when: 'No route has this path, or no procedure has this name.' },
  USER_NOT_FOUND: { status: 404, title: 'User not found', when: 'No user has this id.' },
  CUSTOMER_NOT_FOUND: { status: 404, title: 'Customer not found', when: 'No customer has this id.' },
  APP_NOT_FOUND: { status: 404, title: 'App not found', when: 'No app has this id.' },
  TENANT_NOT_FOUND: { status: 404, title: 'Tenant not found', when: 'No tenant that is visible to the caller has this id.' },
  USER_TENANT_NOT_FOUND: { status: 404, title: 'Membership not found', when: 'The user is not a member of the tenant.' },
  ORGANIZATION_NOT_FOUND: {
    status: 404,
    title: 'Organization not found',
    when: 'No organization that is visible to the caller has this id or tax id.',
  },
  ORGANIZATION_ADDRESS_NOT_FOUND: {
    status: 404,
    title: 'Address not found',
    when: 'No address that is visible to the caller has this id.',
  },
  ORGANIZATION_CONTACT_NOT_FOUND: {
    status: 404,
    title: 'Contact not found',
    when: 'No contact that is visible to the caller has this id.',
  },
  DOCUMENT_TYPE_NOT_FOUND: { status: 404, title: 'Document type not found', when: 'No document type has this id.' },
  STATE_NOT_FOUND: { status: 404, title: 'State not found', when: 'No state has this `stateCode`.' },
  CITY_NOT_FOUND: { status: 404, title: 'City not found', when: 'No city has this code.' },
  ATTACHMENT_NOT_FOUND: {
    status: 404,
    title: 'Attachment not found',
    when: 'No attachment that is visible to the caller has this id.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    when: 'The route does not support this method. The header `Allow` lists the methods that it supports.',
  },
  USER_ALREADY_EXISTS: {
    status: 409,
    title: 'User already exists',
    when: 'Another user has this `email` or this `federalTaxId`.',
  },
  IDENTITY_ALREADY_LINKED: {
    status: 409,
    title: 'Identity already linked',
    when: 'The identity with this `email` is linked to another user.',
  },
  USER_DATA_MISMATCH: {
    status: 409,
    title: 'User data mismatch',
    when: 'The `federalTaxId` and the `email` do not belong to the same user.',
  },
  CUSTOMER_ALREADY_EXISTS: { status: 409, title: 'Customer already exists', when: 'Another customer has this `federalTaxId`.' },
  APP_ALREADY_EXISTS: { status: 409, title: 'App already exists', when: 'Another app has this `name`.' },
  ORGANIZATION_ALREADY_EXISTS: {
    status: 409,
    title: 'Organization already exists',
    when: 'Another organization has this `federalTaxId`.',
  },
  DOCUMENT_TYPE_ALREADY_EXISTS: { status: 409, title: 'Document type already exists', when: 'Another document type has this `name`.' },
  STATE_ALREADY_EXISTS: { status: 409, title: 'State already exists', when: 'Another state has this `stateCode` or this `uf`.' },
  CITY_ALREADY_EXISTS: { status: 409, title: 'City already exists', when: 'Another city has this `ibgeCode` or this `siafiId`.' },
  IDENTITY_CLIENT_ALREADY_LINKED: {
    status: 409,
    title: 'Identity client already linked',
    when: 'Another tenant has this `identityClientId`.',
  },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    status: 409,
    title: 'Request in progress',
    when: 'A request with this `Idempotency-Key` and the same input is still running. `Retry-After` states the seconds to wait.',
  },
  CUSTOMER_IN_USE: { status: 409, title: 'Customer in use', when: 'Tenants or users still refer to the customer.' },
  APP_IN_USE: { status: 409, title: 'App in use', when: 'Tenants still refer to the app.' },
  ORGANIZATION_IN_USE: { status: 409, title: 'Organization in use', when: 'Other tenants are linked to the organization.' },
  STATE_IN_USE: { status: 409, title: 'State in use', when: 'Cities or addresses still refer to the state.' },
  CITY_IN_USE: { status: 409, title: 'City in use', when: 'Addresses still refer to the city.' },
  PRECONDITION_FAILED: {
    status: 412,
    title: 'Precondition failed',
    when: 'The record has changed since the client read the version in `If-Match`. Nothing was changed. Read the record again.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'Payload too large',
    when: 'The request body exceeds a limit, or the responses of a tRPC batch do. `detail` states the limit.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    when: 'The route does not support the `Content-Type` of the request body.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    title: 'Range not satisfiable',
    when: 'The file has no byte in the requested `Range`. The header `Content-Range` states its size.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'Idempotency key reused',
    when: 'This `Idempotency-Key` came with another operation, active tenant or input. Send a new key for a new request.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    when: 'A rate limit of the caller or the address, or a concurrency limit of the tenant, is exceeded. `Retry-After` states the seconds to wait.',
  },
  INTERNAL_ERROR: {
    status: 500,
    title: 'Internal error',
    when: 'The service failed unexpectedly. Report the request id in `instance`: the log has the details.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'Service unavailable',
    when: 'The database is unreachable at the moment. `Retry-After` states the seconds to wait.',
  },
  IDENTITY_PROVIDER_UNAVAILABLE: {
    status: 503,
    title: 'Identity provider unavailable',
    when: 'The identity provider is unreachable or returned an error. `Retry-After` states the seconds to wait.',
  },
} as const satisfies Record<string, ErrorDeclaration>;

export type ErrorCode = keyof typeof errors;

export const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

/**
 * The `code` of a problem. The OpenAPI document describes it as an open string, because clients that are generated from a closed enum reject every code that a
 * later version adds. The types of this repository know all codes.
 */
const Code = z.string().meta({
  description:
    'Stable, machine-readable name of the error. New codes may be added: keep a default branch. `x-extensible-enum` lists the codes of this version, and `/errors` describes them.',
  examples: ['VALIDATION_FAILED', 'NOT_ALLOWED', 'ORGANIZATION_NOT_FOUND'],
  'x-extensible-enum': errorCodes,
}) as unknown as z.ZodType<ErrorCode>;

const FieldError = z
  .object({
    path: z.string().describe('Path of the field, such as `address.zipCode`, or the name of the parameter. Empty for the whole input.'),
    message: z.string().describe('What is wrong with the field.'),
  })
  .meta({ id: 'FieldError' });

/** The RFC 9457 problem document: the body of every error response. */
export const Problem = z
  .object({
    type: z.string().describe('URL of the documentation of the code.'),
    title: z.string().describe('Short text for the code. The same for every occurrence.'),
    status: z.int32().describe('HTTP status of the response.'),
    code: Code,
    detail: z.string().describe('What went wrong in this request, as text for people.'),
    instance: z.string().describe('Id of the request, as in the header `X-Request-Id`.'),
    errors: z.array(FieldError).optional().describe('Invalid fields. Only with VALIDATION_FAILED.'),
  })
  .meta({ id: 'Problem' });
export type Problem = z.output<typeof Problem>;
export type FieldError = z.output<typeof FieldError>;

/** Throw it to end a request with this code. The client receives `detail`; `cause` is only logged. */
export class ProblemError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;

  constructor(code: ErrorCode, options: { detail?: string; errors?: FieldError[]; cause?: unknown } = {}) {
    super(options.detail ?? errors[code].when, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ProblemError';
    this.code = code;
    this.errors = options.errors;
  }

  get status(): number {
    return errors[this.code].status;
  }
}
