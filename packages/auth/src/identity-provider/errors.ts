import { NetworkError } from '@keycloak/keycloak-admin-client';
import { ProblemError } from '@profile-service/contracts';

/** The response of the provider, or its configuration, is not what this service needs. The message says what to correct. */
export class IdentityProviderError extends Error {
  override readonly name = 'IdentityProviderError';
}

/** The HTTP status of a response from Keycloak; undefined for other errors. */
export const statusOf = (error: unknown): number | undefined => (error instanceof NetworkError ? error.response.status : undefined);

/** What `fetch` says if it got no response, and if the body of a response broke off. The cause says why. */
const connectionMessages = ['fetch failed', 'terminated'];

/** Whether the request got no response, or only a part of it. Any other TypeError is a bug. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof TypeError && connectionMessages.includes(error.message) && error.cause !== undefined;

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** Whether the provider has failed or rejected the request. False for a bug of this service. */
const isProviderFailure = (error: unknown): boolean =>
  error instanceof NetworkError || error instanceof IdentityProviderError || isConnectionError(error) || isTimeout(error);

/** Whether the provider is unavailable: no usable response, or a status of 500 or more. */
export const isUnavailable = (error: unknown): boolean => isProviderFailure(error) && (statusOf(error) ?? 500) >= 500;

/** Runs an operation and throws IDENTITY_PROVIDER_UNAVAILABLE for each failure of the provider. Other errors pass unchanged (D-173). */
export async function asUnavailable<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw isProviderFailure(error) ? new ProblemError('IDENTITY_PROVIDER_UNAVAILABLE', { cause: error }) : error;
  }
}

/** Keycloak's messages about the client or the redirect address of a mail. */
const mailLinkMessages = new Set(['Invalid redirect uri.', "Client doesn't exist", 'Client is not enabled', 'Client id missing']);

/** Returns an error that says which setting to correct, if Keycloak rejects the link of the password mail; undefined for other errors. */
export function explainMailLink(error: unknown): Error | undefined {
  if (statusOf(error) !== 400) return undefined;
  const { errorMessage = '' } = (error as NetworkError).responseData as { errorMessage?: string };
  if (!mailLinkMessages.has(errorMessage)) return undefined;
  const remedy = 'the client IDENTITY_MAIL_CLIENT_ID must exist, be enabled and allow IDENTITY_MAIL_REDIRECT_URL as redirect URI';
  const text = `The identity provider rejects the link of the password mail (${errorMessage.replace(/\.$/, '')}): ${remedy}`;
  return new IdentityProviderError(text, { cause: error });
}
