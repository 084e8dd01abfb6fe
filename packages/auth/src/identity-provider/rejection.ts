import type { NetworkError } from '@keycloak/keycloak-admin-client';
import { ProblemError } from '@profile-service/contracts';
import { IdentityProviderError, statusOf } from './errors.ts';

/** An error of Keycloak's user profile validation. The first of `params` is the attribute; limits follow. */
interface Rejection {
  field?: string;
  errorMessage?: string;
  params?: unknown[];
}

/** The field of a request from which an attribute comes, and how a message names the attribute. */
const attributes: Record<string, { path: 'name' | 'email'; label: string }> = {
  firstName: { path: 'name', label: 'first name' },
  lastName: { path: 'name', label: 'last name' },
  email: { path: 'email', label: 'e-mail address' },
  username: { path: 'email', label: 'e-mail address as user name' },
};

/** What Keycloak's messages mean. */
const limits: Record<string, (params: unknown[]) => string> = {
  'error-person-name-invalid-character': () =>
    String.raw`it must not contain control characters or any of < > & " $ % ! # ? § ; * ~ / \ | ^ = [ ] { } ( )`,
  'error-invalid-length': ([, min, max]) => `it must have ${String(min)} to ${String(max)} characters`,
  'error-invalid-length-too-short': ([, min]) => `it must have at least ${String(min)} characters`,
  'error-invalid-length-too-long': ([, , max]) => `it must have at most ${String(max)} characters`,
  'error-invalid-email': () => 'it is not a valid e-mail address',
  'error-non-ascii-local-part-email': () => 'the part before the @ must contain only ASCII characters',
  'error-pattern-no-match': ([, pattern]) => `it must match the pattern ${String(pattern)}`,
};

/**
 * Explains a 400 of Keycloak's user profile validation. Keycloak sends one error as an object and several as a list.
 * @returns VALIDATION_FAILED if the caller can correct the request (IDENTITY-3), another error if the realm requires what this service does not send
 * (IDENTITY-4), or undefined for other errors and for a 400 that names no field
 */
export function explainRejection(error: unknown): Error | undefined {
  if (statusOf(error) !== 400) return undefined;
  const response = (error as NetworkError).responseData as Rejection & { errors?: Rejection[] };
  const rejections = response.errors ?? [response];
  if (rejections.some(({ field }) => !field)) return undefined;
  const unknown = rejections.filter(({ field = '' }) => !Object.hasOwn(attributes, field));
  if (unknown.length > 0) {
    const names = unknown.map(({ field, errorMessage }) => `${field} (${errorMessage})`).join(', ');
    const text = `The identity provider rejects attributes that this service does not send: ${names}. Correct the user profile of the realm`;
    return new IdentityProviderError(text, { cause: error });
  }
  const messages = new Map(rejections.map((rejection) => [attributes[rejection.field ?? '']?.path ?? '', describe(rejection)]));
  return new ProblemError('VALIDATION_FAILED', { errors: [...messages].map(([path, message]) => ({ path, message })), cause: error });
}

function describe({ field = '', errorMessage = '', params = [] }: Rejection): string {
  const limit = limits[errorMessage]?.(params) ?? errorMessage;
  return `The identity provider rejects the ${attributes[field]?.label}${limit && `: ${limit}`}`;
}
