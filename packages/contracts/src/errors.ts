import { z } from 'zod';

interface ErrorDeclaration {
  status: number;
  title: string;
  /** When a caller meets it: the text of the errors page. */
  when: string;
}

/**
 * The catalogue of all error codes: the only place that says a code's status and title.
 * The problem documents, the OpenAPI document, the tRPC error shape, the client and the errors page are made from it.
 */
export const errors = {
  VALIDATION_FAILED: {
    status: 400,
    title: 'Validation failed',
    when: 'The request is not well-formed; `errors` names each field at fault.',
  },
  INVALID_STATE: { status: 400, title: 'Invalid state', when: 'The stateCode names no state.' },
  INVALID_CITY: { status: 400, title: 'Invalid city', when: 'The cityCode names no city.' },
  CITY_STATE_MISMATCH: { status: 400, title: 'City and state do not match', when: 'The city does not belong to the state.' },
  ORGANIZATION_NOT_LINKED_TO_TENANT: {
    status: 400,
    title: 'Organization not linked to tenant',
    when: 'One of the organizationIds is not linked to the tenant.',
  },
  ORGANIZATION_ADDRESS_NOT_CURRENT: { status: 400, title: 'Address is not current', when: 'A closed address cannot be changed.' },
  FILE_REQUIRED: { status: 400, title: 'File required', when: 'The upload has no file.' },
  InvalidAttachmentTypeError: {
    status: 400,
    title: 'Attachment type not allowed',
    when: 'The file is not one of the allowed types, or its content is not what its type says.',
  },
  FailedToUploadFileError: { status: 400, title: 'Upload failed', when: 'The object storage did not take the file; nothing was kept.' },
  FailedToDownloadFileError: { status: 400, title: 'Download failed', when: 'The object storage did not give the file.' },
  FailedToDeleteFileError: {
    status: 400,
    title: 'Deletion of the file failed',
    when: 'Not answered at present: a deletion whose file the object storage does not remove at once is a success, and the file is removed later.',
  },
  UNAUTHORIZED: { status: 401, title: 'Unauthorized', when: 'The bearer token is missing, invalid or expired.' },
  NOT_ALLOWED: { status: 403, title: 'Not allowed', when: 'The role of the caller does not allow the action.' },
  NOT_ALLOWED_ORGANIZATION: {
    status: 403,
    title: 'Organization not allowed',
    when: 'The organizationId is outside the organizations that the caller reaches.',
  },
  USER_NOT_PROVISIONED: {
    status: 403,
    title: 'User not provisioned',
    when: 'The token is valid, but its subject is no user of this service.',
  },
  ACTIVE_TENANT_REQUIRED: {
    status: 403,
    title: 'Active tenant required',
    when: 'The user has none or several tenants: X-Tenant-Id must name one.',
  },
  TENANT_NOT_ALLOWED: {
    status: 403,
    title: 'Tenant not allowed',
    when: 'X-Tenant-Id names no tenant in which the user has an active membership.',
  },
  PERSONA_NOT_ASSIGNED: { status: 403, title: 'Persona not assigned', when: 'The membership in the active tenant has no persona.' },
  CLIENT_NOT_LINKED: {
    status: 403,
    title: 'Client not linked',
    when: "The token is not an application's own, or its client is linked to no active tenant.",
  },
  ROUTE_NOT_FOUND: { status: 404, title: 'Route not found', when: 'There is no such route.' },
  USER_NOT_FOUND: { status: 404, title: 'User not found', when: 'There is no such user.' },
  CUSTOMER_NOT_FOUND: { status: 404, title: 'Customer not found', when: 'There is no such customer.' },
  APP_NOT_FOUND: { status: 404, title: 'App not found', when: 'There is no such app.' },
  TENANT_NOT_FOUND: { status: 404, title: 'Tenant not found', when: 'There is no such tenant that the caller may see.' },
  USER_TENANT_NOT_FOUND: { status: 404, title: 'Membership not found', when: 'The user is no member of the tenant.' },
  ORGANIZATION_NOT_FOUND: { status: 404, title: 'Organization not found', when: 'There is no such organization that the caller may see.' },
  ORGANIZATION_ADDRESS_NOT_FOUND: { status: 404, title: 'Address not found', when: 'There is no such address that the caller may see.' },
  ORGANIZATION_CONTACT_NOT_FOUND: { status: 404, title: 'Contact not found', when: 'There is no such contact that the caller may see.' },
  DOCUMENT_TYPE_NOT_FOUND: { status: 404, title: 'Document type not found', when: 'There is no such document type.' },
  STATE_NOT_FOUND: { status: 404, title: 'State not found', when: 'There is no such state.' },
  CITY_NOT_FOUND: { status: 404, title: 'City not found', when: 'There is no such city.' },
  ATTACHMENT_NOT_FOUND: { status: 404, title: 'Attachment not found', when: 'There is no such attachment that the caller may see.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    when: 'The route does not know this method; `Allow` names those it knows.',
  },
  USER_ALREADY_EXISTS: { status: 409, title: 'User already exists', when: 'Another user has the email or the federalTaxId.' },
  IDENTITY_ALREADY_LINKED: { status: 409, title: 'Identity already linked', when: 'The identity is bound to another user.' },
  USER_DATA_MISMATCH: {
    status: 409,
    title: 'User data mismatch',
    when: 'The federalTaxId and the email do not designate the same user.',
  },
  CUSTOMER_ALREADY_EXISTS: { status: 409, title: 'Customer already exists', when: 'Another customer has the federalTaxId.' },
  APP_ALREADY_EXISTS: { status: 409, title: 'App already exists', when: 'Another app has the name.' },
  ORGANIZATION_ALREADY_EXISTS: { status: 409, title: 'Organization already exists', when: 'Another organization has the federalTaxId.' },
  DOCUMENT_TYPE_ALREADY_EXISTS: { status: 409, title: 'Document type already exists', when: 'Another document type has the name.' },
  STATE_ALREADY_EXISTS: { status: 409, title: 'State already exists', when: 'Another state has the stateCode or the uf.' },
  CITY_ALREADY_EXISTS: { status: 409, title: 'City already exists', when: 'Another city has the ibgeCode or the siafiId.' },
  IDENTITY_CLIENT_ALREADY_LINKED: {
    status: 409,
    title: 'Identity client already linked',
    when: 'Another tenant has the identityClientId.',
  },
  CUSTOMER_IN_USE: { status: 409, title: 'Customer in use', when: 'Tenants or users still point at the customer.' },
  APP_IN_USE: { status: 409, title: 'App in use', when: 'Tenants still point at the app.' },
  ORGANIZATION_IN_USE: { status: 409, title: 'Organization in use', when: 'Other tenants are linked to the organization.' },
  STATE_IN_USE: { status: 409, title: 'State in use', when: 'Cities or addresses still point at the state.' },
  CITY_IN_USE: { status: 409, title: 'City in use', when: 'Addresses still point at the city.' },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'Payload too large',
    when: 'The body is larger than the limit, or the answers of a tRPC batch are; `detail` says which.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    when: 'The body is not of the content type that the route takes.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    title: 'Range not satisfiable',
    when: 'The file has none of the bytes that `Range` asks for; `Content-Range` says how many it has.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    when: 'Too many requests of this caller or from this address, which `RateLimit-Policy` names, or too much of its tenant at once; `Retry-After` says when to go on.',
  },
  INTERNAL_ERROR: { status: 500, title: 'Internal error', when: 'A fault of this service; `instance` is the request id that its log has.' },
  SERVICE_UNAVAILABLE: { status: 503, title: 'Service unavailable', when: 'The database is out of reach for the moment.' },
  IDENTITY_PROVIDER_UNAVAILABLE: {
    status: 503,
    title: 'Identity provider unavailable',
    when: "The identity provider's keys, look-up or creation of an identity failed.",
  },
} as const satisfies Record<string, ErrorDeclaration>;

export type ErrorCode = keyof typeof errors;

export const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

/** RFC 9457 problem document: the body of every error. `errors` stands only with VALIDATION_FAILED. */
export const Problem = z
  .object({
    type: z.string().describe('Address of the text about this code'),
    title: z.string(),
    status: z.int32(),
    code: z.enum(errorCodes).meta({ id: 'ErrorCode' }),
    detail: z.string(),
    instance: z.string().describe('The request id'),
    errors: z.array(z.object({ path: z.string(), message: z.string() }).meta({ id: 'FieldError' })).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.output<typeof Problem>;
export type FieldError = NonNullable<Problem['errors']>[number];

/** Thrown anywhere to end a request with this code. `detail` is shown to the caller, `cause` stays in the log. */
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
