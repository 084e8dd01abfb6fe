import { isRefreshToken } from './tokens.ts';

interface LibraryError extends Error {
  status?: number | undefined;
  error?: string | undefined;
  error_description?: string | undefined;
  error_detail?: string | undefined;
}

/** Status, error and description. */
type TokenError = readonly [number, string, (string | undefined)?];

const badCredentials = 'Invalid client or Invalid client credentials';

/** Keycloak's errors by the library's reason. */
const byReason: Record<string, TokenError> = {
  'invalid secret provided': [401, 'unauthorized_client', badCredentials],
  'no client authentication mechanism provided': [401, 'invalid_client', badCredentials],
  "missing required parameter 'refresh_token'": [400, 'invalid_request', 'No refresh token'],
  "missing required parameter 'code'": [400, 'invalid_request', 'Missing parameter: code'],
  'authorization code redirect_uri mismatch': [400, 'invalid_grant', 'Incorrect redirect_uri'],
  'code_verifier must be provided': [400, 'invalid_grant', 'PKCE code verifier not specified'],
  'code_verifier does not match code_challenge': [400, 'invalid_grant', 'PKCE verification failed: Code mismatch'],
};

/** Returns Keycloak's status and body for an error of the library's token endpoint. @param params of the request */
export function tokenError(error: LibraryError, params: Record<string, unknown>): { status: number; body: object } {
  const reason = error.error_detail ?? error.error_description ?? '';
  const [status, code, description] = params['grant_type'] ? (byReason[reason] ?? byKind(error, reason, params)) : missingGrantType;
  return { status, body: { error: code, ...(description === undefined ? {} : { error_description: description }) } };
}

/** Keycloak checks the grant type before it authenticates the client. */
const missingGrantType: TokenError = [400, 'invalid_request', 'Missing form parameter: grant_type'];

function byKind(error: LibraryError, reason: string, params: Record<string, unknown>): TokenError {
  if (error.error === 'invalid_client') return [401, 'invalid_client', badCredentials];
  if (error.error === 'unsupported_grant_type') return [400, 'unsupported_grant_type', 'Unsupported grant_type'];
  if (error.error === 'invalid_grant') return [400, 'invalid_grant', grantError(reason, params)];
  if (reason.startsWith('code_verifier ')) return [400, 'invalid_grant', 'PKCE verification failed: Invalid code verifier'];
  if (reason.startsWith('origin ')) return [403, 'Invalid origin'];
  if (reason === 'requested grant type is not allowed for this client') {
    const own = params['grant_type'] === 'client_credentials';
    return own
      ? [401, 'unauthorized_client', 'Public client not allowed to retrieve service account']
      : [400, 'unauthorized_client', 'Client not allowed for direct access grants'];
  }
  return [error.status ?? 500, error.error ?? 'server_error', reason];
}

function grantError(reason: string, params: Record<string, unknown>): string {
  if (params['grant_type'] === 'authorization_code') return 'Code not valid';
  if (params['grant_type'] !== 'refresh_token') return reason;
  if (reason === 'client mismatch') return "Invalid refresh token. Token client and authorized client don't match";
  if (!isRefreshToken(String(params['refresh_token']))) return 'Invalid refresh token';
  return reason.includes('account not found') ? 'User disabled' : 'Session not active';
}
