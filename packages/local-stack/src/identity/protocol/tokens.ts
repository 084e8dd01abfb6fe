import { createHash, randomUUID } from 'node:crypto';
import { decodeJwt, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { Client } from '../clients.ts';
import { sessionIdle } from '../lifespans.ts';
import type { User } from '../users/user.ts';
import type { Realm } from '../realm.ts';
import { accessClaims, grantedScope, profileClaims } from './claims.ts';

/** The tokens to issue, and the library's ids for them. */
export interface IssuedTokens {
  user: User;
  client: Client;
  /** Of the access token. A refresh may request fewer than the login. */
  requestedScopes: Iterable<string>;
  /** Keycloak's prefix of the grant type, followed by the library's id. */
  accessTokenId: string;
  /** The user's session, with the scopes of its login; undefined for client credentials. */
  login?: { sid: string; scopes: Iterable<string>; refreshTokenId: string; authTime: number | undefined; nonce: string | undefined };
}

/** Returns the body of Keycloak's token endpoint: the tokens as JWTs whose jti is the library's id. */
export async function tokenResponse(realm: Realm, issued: IssuedTokens): Promise<object> {
  const { user, client, login } = issued;
  const scope = grantedScope(issued.requestedScopes);
  const iat = Math.floor(Date.now() / 1000);
  const lifespan = realm.accessTokenLifespan;
  // JSON.stringify leaves out members that are undefined.
  const common = { exp: iat + lifespan, iat, auth_time: login?.authTime, iss: realm.issuer };
  const access = await realm.keys.sign({ ...common, jti: issued.accessTokenId, sid: login?.sid, ...accessClaims(user, client, scope) });
  const response = {
    access_token: access,
    expires_in: lifespan,
    refresh_expires_in: login === undefined ? 0 : sessionIdle,
    token_type: 'Bearer',
    'not-before-policy': 0,
    scope,
    ...(login === undefined ? {} : { refresh_token: await refreshToken(realm, issued, login, iat), session_state: login.sid }),
  };
  if (!grantedScope(login?.scopes ?? issued.requestedScopes).startsWith('openid')) return response;
  const about = { jti: randomUUID(), aud: client.clientId, sub: user.id, typ: 'ID', azp: client.clientId, acr: '1' };
  const context = { nonce: login?.nonce, sid: login?.sid, at_hash: halfHash(access) };
  return { ...response, id_token: await realm.keys.sign({ ...common, ...about, ...context, ...profileClaims(user) }) };
}

async function refreshToken(
  realm: Realm,
  { user, client }: IssuedTokens,
  login: { sid: string; scopes: Iterable<string>; refreshTokenId: string },
  iat: number,
): Promise<string> {
  const about = { jti: login.refreshTokenId, iss: realm.issuer, aud: realm.issuer, sub: user.id, typ: 'Refresh', azp: client.clientId };
  return new SignJWT({ exp: iat + sessionIdle, iat, ...about, sid: login.sid, scope: grantedScope(login.scopes) })
    .setProtectedHeader({ alg: 'HS512', typ: 'JWT' })
    .sign(realm.keys.secret);
}

/** Returns the library's id of an access token of this realm; undefined for any other text. */
export async function accessTokenId(realm: Realm, token: string): Promise<string | undefined> {
  const payload = await realm.keys.verify(token).catch(() => undefined);
  return payload?.jti?.replace(/^\w+:/, '');
}

/** Returns the library's id of a refresh token of this realm; undefined for any other text. */
export async function refreshTokenId(realm: Realm, token: string): Promise<string | undefined> {
  return (await verifiedRefreshToken(realm, token))?.jti;
}

/** Returns the claims of a valid access, ID or refresh token of this realm; undefined for any other text. */
export async function verifiedToken(realm: Realm, token: string): Promise<JWTPayload | undefined> {
  return isRefreshToken(token) ? verifiedRefreshToken(realm, token) : realm.keys.verify(token).catch(() => undefined);
}

async function verifiedRefreshToken(realm: Realm, token: string): Promise<JWTPayload | undefined> {
  const verified = await jwtVerify(token, realm.keys.secret, { issuer: realm.issuer, algorithms: ['HS512'] }).catch(() => undefined);
  return verified?.payload;
}

/** Whether a text looks like a refresh token. Its signature is not verified. */
export function isRefreshToken(text: string): boolean {
  try {
    return decodeJwt(text)['typ'] === 'Refresh';
  } catch {
    return false;
  }
}

/** Returns the session and the client of a refresh token of this realm; undefined for any other text. */
export async function sessionOfRefreshToken(realm: Realm, token: string): Promise<{ sid: string; clientId: string } | undefined> {
  const { sid, azp } = (await verifiedRefreshToken(realm, token)) ?? {};
  return typeof sid === 'string' && typeof azp === 'string' ? { sid, clientId: azp } : undefined;
}

/** Returns the session and the client of an ID token of this realm, even if expired; undefined for any other text. */
export async function sessionOfIdToken(realm: Realm, token: string): Promise<{ sid: string; clientId: string } | undefined> {
  const payload = await realm.keys.verify(token, new Date(0)).catch(() => undefined);
  const { sid, azp, typ } = payload ?? {};
  return typ === 'ID' && typeof sid === 'string' && typeof azp === 'string' ? { sid, clientId: azp } : undefined;
}

/** Returns the left half of the token's hash (OpenID Connect Core 3.1.3.6). */
function halfHash(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
}
