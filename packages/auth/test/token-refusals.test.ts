import { createPublicKey, createSign, randomBytes } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TokenVerifier } from '../src/index.ts';
import { now, type Realm, startRealm } from './realm.ts';

const unauthorized = { code: 'UNAUTHORIZED' };
let realm: Realm;
let otherRealm: Realm;
let verifier: TokenVerifier;
let stranger: { privateKey: CryptoKey; publicJwk: JWK };

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  stranger = { privateKey, publicJwk: await exportJWK(publicKey) };
  [realm, otherRealm] = await Promise.all([startRealm(), startRealm({ ...(await exportJWK(privateKey)), alg: 'RS256' })]);
  verifier = realm.verifier();
});
afterAll(() => Promise.all([realm.stop(), otherRealm.stop()]));

const goodPayload = (): JWTPayload => ({ iss: realm.identity.realmUrl, sub: 'a-person', typ: 'Bearer', exp: now() + 300 });
const certsOf = (other: Realm) => `${other.identity.realmUrl}/protocol/openid-connect/certs`;
const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** Header and payload with the signature of the realm. */
function signed(header: object, body: string): string {
  const content = `${base64url(JSON.stringify({ alg: 'RS256', kid: realm.key.kid, ...header }))}.${base64url(body)}`;
  return `${content}.${createSign('sha256').update(content).sign({ key: realm.key, format: 'jwk' }, 'base64url')}`;
}

/** A valid payload with the signature of another key. */
const ofStranger = (header: Record<string, unknown> = {}) =>
  new SignJWT(goodPayload()).setProtectedHeader({ alg: 'RS256', kid: realm.key.kid, ...header }).sign(stranger.privateKey);

const hmac = (secret: string | Buffer) =>
  new SignJWT(goodPayload()).setProtectedHeader({ alg: 'HS256', kid: realm.key.kid }).sign(Buffer.from(secret));

async function withSubject(sub: string): Promise<string> {
  const [header, , signature] = (await realm.token()).split('.');
  return [header, base64url(JSON.stringify({ ...goodPayload(), sub })), signature].join('.');
}

test('the unchanged token of the following cases is valid', async () => {
  expect((await verifier.verify(signed({}, JSON.stringify(goodPayload())))).sub).toBe('a-person');
});

describe('a token is rejected as invalid:', () => {
  // Rules: AUTH-2, AUTH-3
  test.each<[string, () => string | Promise<string>]>([
    ['no JWT', () => 'token'],
    ['three empty parts', () => '..'],
    ['parts that are no JSON', () => 'a.b.c'],
    ['five parts, as of an encrypted one', () => 'a.b.c.d.e'],
    ['random bytes', () => randomBytes(300).toString('base64url')],
    ['another payload under the signature', () => withSubject('somebody-else')],
    ['a signed text', () => signed({}, '"a-person"')],
    ['a signed list', () => signed({}, '[]')],
    ['a signed null', () => signed({}, 'null')],
    ['bytes that are no UTF-8', () => signed({}, '').replace('..', `.${Buffer.from([0xff, 0xfe]).toString('base64url')}.`)],
    [
      'HS256 with the public key as PEM',
      () => hmac(createPublicKey({ key: realm.key, format: 'jwk' }).export({ type: 'spki', format: 'pem' })),
    ],
    ['HS256 with the public key as JWK', () => hmac(JSON.stringify({ kty: 'RSA', n: realm.key.n, e: realm.key.e }))],
    ['HS256 with nothing', () => hmac(Buffer.alloc(32))],
    ['alg none', () => new UnsecuredJWT(goodPayload()).encode()],
    ['alg none under a signature', () => signed({ alg: 'none' }, JSON.stringify(goodPayload()))],
    ['no alg', () => signed({ alg: undefined }, JSON.stringify(goodPayload()))],
    ['another alg than the key’s', () => signed({ alg: 'PS256' }, JSON.stringify(goodPayload()))],
    ['an unknown kid', () => signed({ kid: 'unknown' }, JSON.stringify(goodPayload()))],
    ...[
      '../../../../dev/null',
      '/proc/self/environ',
      "' or 1=1; --",
      "x' union select 'AAAA",
      '__proto__',
      'constructor',
      'https://id.example/key',
      '*',
      '',
    ].map((kid): [string, () => string] => [`a kid that is ${JSON.stringify(kid)}`, () => signed({ kid }, JSON.stringify(goodPayload()))]),
    ['a kid that is no text', () => signed({ kid: { $ne: null } }, JSON.stringify(goodPayload()))],
    ['an extension that must be understood', () => signed({ crit: ['cnf'], cnf: {} }, JSON.stringify(goodPayload()))],
    ['a stranger’s key under the realm’s kid', () => ofStranger()],
    ['a stranger’s key as jwk in the header', () => ofStranger({ jwk: stranger.publicJwk, kid: undefined })],
    [
      'a stranger’s certificate as x5c in the header',
      () => ofStranger({ x5c: [Buffer.from(JSON.stringify(stranger.publicJwk)).toString('base64')] }),
    ],
    ['another realm’s key', () => otherRealm.token({ iss: realm.identity.realmUrl })],
    [
      'another realm’s keys as jku in the header',
      () => otherRealm.token({ iss: realm.identity.realmUrl }, { header: { jku: certsOf(otherRealm) } }),
    ],
    [
      'another realm’s keys as x5u in the header',
      () => otherRealm.token({ iss: realm.identity.realmUrl }, { header: { x5u: certsOf(otherRealm) } }),
    ],
    ['a refresh token', async () => (await realm.login()).refresh_token],
  ])('%s', async (_name, make) => {
    await expect(verifier.verify(await make())).rejects.toMatchObject({ ...unauthorized, message: 'The token is invalid' });
  });
});

describe('a token is rejected for its claims, with a reason:', () => {
  // Rules: AUTH-2, AUTH-3
  test.each<[string, () => Record<string, unknown>, string | RegExp]>([
    ['expired', () => ({ exp: now() - 60 }), 'The token has expired'],
    ['expired just beyond the tolerance', () => ({ exp: now() - 6 }), 'The token has expired'],
    ['not yet valid', () => ({ nbf: now() + 3600 }), /"nbf"/],
    ['of another issuer', () => ({ iss: 'https://id.example/realms/profile' }), /"iss"/],
    ['of an issuer that differs by a slash', () => ({ iss: `${realm.identity.realmUrl}/` }), /"iss"/],
    ['of an issuer that differs in case', () => ({ iss: realm.identity.realmUrl.toUpperCase() }), /"iss"/],
    ['of two issuers', () => ({ iss: [realm.identity.realmUrl] as never }), /"iss"/],
    ['of no issuer', () => ({ iss: undefined }), 'The token has no claim "iss"'],
    ['without an end', () => ({ exp: undefined }), 'The token has no claim "exp"'],
    ['with an end that is no time', () => ({ exp: '2030' as never }), /"exp"/],
    ['lightweight: without sub, aud and roles', () => ({ sub: undefined, azp: 'web' }), 'The token has no claim "sub"'],
    ['with an empty subject', () => ({ sub: '' }), /subject/],
    ['with a subject that is no text', () => ({ sub: 5 as never }), /subject/],
    ['marked ID', () => ({ typ: 'ID' }), /no access token/],
    ['marked Refresh', () => ({ typ: 'Refresh' }), /no access token/],
    ['marked DPoP', () => ({ typ: 'DPoP' }), /no access token/],
    ['marked Logout', () => ({ typ: 'Logout' }), /no access token/],
  ])('%s', async (_name, claims, message) => {
    const token = await realm.token(claims());
    await expect(verifier.verify(token)).rejects.toMatchObject({ ...unauthorized, message: expect.stringMatching(message) });
  });

  test('an ID token is rejected', async () => {
    const { id_token: token } = await realm.login();
    await expect(verifier.verify(token)).rejects.toMatchObject({ ...unauthorized, message: 'The token is no access token' });
  });
});
