import type { Provider } from 'oidc-provider';
import { readForm, sendJson, type Exchange } from '../http.ts';
import type { Realm } from '../realm.ts';
import { authenticateClient } from './client-authentication.ts';
import { isRefreshToken, verifiedToken } from './tokens.ts';

/** Serves Keycloak's introspection endpoint. A token is active only for a confidential client that its `aud` names. */
export async function introspect(provider: Provider, realm: Realm, { req, res }: Exchange): Promise<void> {
  const form = await readForm(req);
  const fail = (status: number, error: string, description: string) => sendJson(res, status, { error, error_description: description });
  const authenticated = authenticateClient(realm, req.headers.authorization, form);
  if ('error' in authenticated) {
    const isUnknown = authenticated.error === 'invalid_client';
    return fail(401, 'invalid_client', isUnknown ? 'Invalid client or Invalid client credentials' : 'Client authentication failed.');
  }
  const { client } = authenticated;
  if (client.secret === undefined) return fail(403, 'invalid_request', 'Client not allowed.');
  const text = form.get('token') ?? '';
  if (text === '') return fail(400, 'invalid_request', 'Token not provided.');

  const claims = isRefreshToken(text) ? undefined : await verifiedToken(realm, text);
  const isActive = claims !== undefined && [claims.aud].flat().includes(client.clientId) && (await isInSession(provider, text, claims));
  const about = { client_id: claims?.['azp'], username: claims?.['preferred_username'], token_type: claims?.['typ'] };
  sendJson(res, 200, isActive ? { ...claims, ...about, active: true } : { active: false }, { 'cache-control': 'no-cache' });
}

/** Whether a token has not been revoked and its session has not ended. A token of client credentials has no session. */
async function isInSession(provider: Provider, text: string, { sid, typ }: Record<string, unknown>): Promise<boolean> {
  if (typeof sid !== 'string') return true;
  return (typ === 'Bearer' ? await provider.AccessToken.find(text) : await provider.Session.findByUid(sid)) !== undefined;
}
