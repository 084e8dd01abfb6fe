import { NetworkError } from '@keycloak/keycloak-admin-client';
import { ProblemError } from '@profile-service/contracts';

/** The HTTP status of a response from Keycloak; undefined for other errors. */
export const statusOf = (error: unknown): number | undefined => (error instanceof NetworkError ? error.response.status : undefined);

/** Whether the request got no response: `fetch` throws a TypeError. */
export const isConnectionError = (error: unknown): boolean => error instanceof TypeError;

/** Whether the provider is unavailable: no response, or a status of 500 or more. */
export const isUnavailable = (error: unknown): boolean => (statusOf(error) ?? 500) >= 500;

/** Runs an operation and throws IDENTITY_PROVIDER_UNAVAILABLE for every error that is not a problem already. */
export async function asUnavailable<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw error instanceof ProblemError ? error : new ProblemError('IDENTITY_PROVIDER_UNAVAILABLE', { cause: error });
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
  return new Error(`The identity provider rejects the link of the password mail (${errorMessage.replace(/\.$/, '')}): ${remedy}`, {
    cause: error,
  });
}
