import type { Provider } from 'oidc-provider';
import { readForm, sendEmpty, sendJson, type Exchange } from '../http.ts';
import type { Realm } from '../realm.ts';
import { acceptClient } from './client-authentication.ts';
import { isRefreshToken, verifiedToken } from './tokens.ts';

/**
 * Serves Keycloak's revocation endpoint. A revoked access token is invalid at once. A revoked refresh token ends the client's part of the
 * session with all its tokens, and the session if it has no other client.
 */
export async function revoke(provider: Provider, realm: Realm, { req, res }: Exchange): Promise<void> {
  const form = await readForm(req);
  const accepted = acceptClient(realm, req.headers, form);
  if ('refusal' in accepted) return sendJson(res, accepted.status, accepted.refusal);
  const { client, headers } = accepted;
  const { clientId } = client;
  const fail = (status: number, error: string, description: string) =>
    sendJson(res, status, { error, error_description: description }, headers);

  const text = form.get('token') ?? '';
  if (text === '') return fail(400, 'invalid_request', 'Token not provided');
  const claims = await verifiedToken(realm, text);
  // Keycloak sends this error with status 200.
  if (claims === undefined) return fail(200, 'invalid_token', 'Invalid token');
  if (claims['typ'] === 'ID') return fail(400, 'unsupported_token_type', 'Unsupported token type');
  if (claims['azp'] !== clientId) return fail(400, 'invalid_request', 'Unmatching clients');
  const isRevoked = isRefreshToken(text)
    ? await endClientSession(provider, clientId, text)
    : claims['sid'] === undefined || (await revokeAccessToken(provider, text));
  if (!isRevoked) return fail(200, 'invalid_token', 'Invalid token');
  sendEmpty(res, 200, headers);
}

async function revokeAccessToken(provider: Provider, text: string): Promise<boolean> {
  const token = await provider.AccessToken.find(text);
  await token?.destroy();
  return token !== undefined;
}

/** Ends the client's part of the session of a refresh token. Returns false if there is none. */
async function endClientSession(provider: Provider, clientId: string, text: string): Promise<boolean> {
  const token = await provider.RefreshToken.find(text);
  if (token === undefined) return false;
  const session = await provider.Session.findByUid(token.sessionUid ?? '');
  // The library accepts tokens only as long as their client is part of the session.
  delete session?.authorizations?.[clientId];
  await (Object.keys(session?.authorizations ?? {}).length === 0 ? session?.destroy() : session?.persist());
  return true;
}
