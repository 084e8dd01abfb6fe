import { z } from 'zod';
import { authenticationErrors } from './errors/authentication.ts';
import { authorizationErrors } from './errors/authorization.ts';
import { concurrencyErrors } from './errors/concurrency.ts';
import type { ErrorDeclaration } from './errors/declaration.ts';
import { fileErrors } from './errors/files.ts';
import { inputErrors } from './errors/input.ts';
import { limitErrors } from './errors/limits.ts';
import { conflictErrors, notFoundErrors } from './errors/records.ts';
import { serviceErrors } from './errors/service.ts';

/**
 * The catalogue of all error codes, by area in `errors/`: the only place that states the status and the title of a code.
 * Problem documents, the OpenAPI document, the tRPC error shape, the client and the errors page derive from it.
 */
export const errors = {
  ...inputErrors,
  ...authenticationErrors,
  ...authorizationErrors,
  ...notFoundErrors,
  ...conflictErrors,
  ...concurrencyErrors,
  ...fileErrors,
  ...limitErrors,
  ...serviceErrors,
} as const satisfies Record<string, ErrorDeclaration>;

export type ErrorCode = keyof typeof errors;

export const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

/**
 * The `code` of a problem. The OpenAPI document describes it as an open string: clients that are generated from a closed enum reject the codes of later
 * versions. The types of this repository know all codes.
 */
const Code = z.string().meta({
  description: 'Stable, machine-readable name of the error. New codes may be added: keep a default branch. `/errors` describes the codes.',
  examples: ['VALIDATION_FAILED', 'NOT_ALLOWED', 'ORGANIZATION_NOT_FOUND'],
  'x-extensible-enum': errorCodes,
}) as unknown as z.ZodType<ErrorCode>;

const FieldError = z
  .object({
    path: z.string().describe('Path of the field, such as `address.zipCode`, or the name of the parameter. Empty for the whole input.'),
    message: z.string().describe('What is wrong with the field.'),
  })
  .meta({ id: 'FieldError', description: 'An invalid field of a request.' });

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
  .meta({ id: 'Problem', description: 'The body of every error response (RFC 9457).' });
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
