import { createPublicKey } from 'node:crypto';
import { originHeaders } from './cors.ts';
import { sendJson, type Exchange } from './http.ts';
import type { Realm } from './realm.ts';

const authMethods = ['client_secret_basic', 'client_secret_post'];

/** Serves `/.well-known/openid-configuration`: the part of Keycloak's document that this provider implements. */
export function discovery(realm: Realm, exchange: Exchange): void {
  const endpoint = (name: string): string => `${realm.issuer}/protocol/openid-connect/${name}`;
  sendPublic(exchange, {
    issuer: realm.issuer,
    authorization_endpoint: endpoint('auth'),
    token_endpoint: endpoint('token'),
    userinfo_endpoint: endpoint('userinfo'),
    end_session_endpoint: endpoint('logout'),
    jwks_uri: endpoint('certs'),
    check_session_iframe: endpoint('login-status-iframe.html'),
    revocation_endpoint: endpoint('revoke'),
    introspection_endpoint: endpoint('token/introspect'),
    grant_types_supported: ['authorization_code', 'client_credentials', 'password', 'refresh_token'],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(realm.keys.publicKeys.map((key) => key.alg))],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint_auth_methods_supported: authMethods,
    scopes_supported: ['openid', 'profile', 'email'],
    claim_types_supported: ['normal'],
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'name',
      'given_name',
      'family_name',
      'preferred_username',
      'email',
      'acr',
      'azp',
      'nonce',
    ],
    prompt_values_supported: ['none', 'login'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
}

/** Serves the address of the realm, as Keycloak does: the key that signs now, and where the endpoints are. */
export function realmInformation(realm: Realm, exchange: Exchange): void {
  const [key] = realm.keys.publicKeys;
  sendPublic(exchange, {
    realm: realm.name,
    public_key: key && createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'der' }).toString('base64'),
    'token-service': `${realm.issuer}/protocol/openid-connect`,
    'account-service': `${realm.issuer}/account`,
    'tokens-not-before': 0,
  });
}

/** Serves the certs endpoint: the public keys of all keys that verify tokens. */
export function certs(realm: Realm, exchange: Exchange): void {
  sendPublic(exchange, { keys: realm.keys.publicKeys });
}

function sendPublic({ req, res }: Exchange, body: object): void {
  const { origin } = req.headers;
  sendJson(res, 200, body, { ...(origin === undefined ? {} : originHeaders(origin)), 'cache-control': 'no-cache' });
}
