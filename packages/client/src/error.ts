import { TRPCClientError } from '@trpc/client';
import type { ErrorCode } from './generated/errors.ts';
import type { FieldError, Problem } from './generated/models.ts';
import type { ProfileRouter } from './router.ts';

/** The codes of failures without an error response of the service. */
export type ClientErrorCode =
  /** No response arrived, or it broke off: the network, DNS, CORS or the service is down. */
  | 'CONNECTION_FAILED'
  /** The `signal` of the call aborted. `cause` is its reason. */
  | 'ABORTED'
  /** The response is not from the service, such as the error page of a proxy. `status` is its status. */
  | 'INVALID_RESPONSE'
  /** The option `token` failed, or the token endpoint did. */
  | 'TOKEN_FAILED'
  /** The call could not be sent: its input, an option or a function of the caller is invalid or failed. `cause` is the error. */
  | 'CLIENT_ERROR';

/** A code of a ProfileError. A newer service may send codes that this version does not know. */
export type ProfileErrorCode = ErrorCode | ClientErrorCode | (string & {});

/** The arguments of ProfileError. */
export interface ProfileErrorDetails<Code extends string = ProfileErrorCode> {
  code: Code;
  message: string;
  status?: number | undefined;
  requestId?: string | undefined;
  problem?: Problem | undefined;
  retryAfter?: number | undefined;
  /** The error as tRPC received it. */
  shape?: TRPCClientError<ProfileRouter>['shape'];
  cause?: unknown;
}

/** The same in each copy of this package. */
const brand = Symbol.for('@profile-service/client:ProfileError');

/**
 * The error of a failed call, upload or download. `message` is the `detail` of the problem document.
 * A `TRPCClientError` too, so that `@trpc/tanstack-react-query` passes it on as it is.
 */
export class ProfileError<Code extends string = ProfileErrorCode> extends TRPCClientError<ProfileRouter> {
  /** Stable, machine-readable name of the error. */
  readonly code: Code;
  /** HTTP status. Undefined without a response. */
  readonly status: number | undefined;
  /** Id of the request, for support and logs. */
  readonly requestId: string | undefined;
  /** Invalid fields of the input. Empty unless `code` is VALIDATION_FAILED. */
  readonly fieldErrors: readonly FieldError[];
  /** The problem document (RFC 9457) of the service. */
  readonly problem: Problem | undefined;
  /** Seconds to wait before the next attempt, if the response states them. */
  readonly retryAfter: number | undefined;

  constructor({ code, message, status, requestId, problem, retryAfter, shape, cause }: ProfileErrorDetails<Code>) {
    super(message, { ...(shape ? { result: { error: shape } } : {}), ...(cause === undefined ? {} : { cause: cause as Error }) });
    // The constructor of TRPCClientError sets its own prototype.
    Object.setPrototypeOf(this, new.target.prototype);
    this.name = 'ProfileError';
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.fieldErrors = problem?.errors ?? [];
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  get [brand](): true {
    return true;
  }
}

/** Whether a caught value is a ProfileError. */
export function isProfileError(error: unknown): error is ProfileError;
/** Whether a caught value is a ProfileError with one of these codes. */
export function isProfileError<Code extends ProfileErrorCode>(error: unknown, ...codes: Code[]): error is ProfileError<Code>;
export function isProfileError(error: unknown, ...codes: string[]): error is ProfileError {
  // `instanceof` fails for an error of another copy of this package.
  return error instanceof Error && brand in error && (codes.length === 0 || codes.includes((error as ProfileError).code));
}
