import { createPublicKey, createSign, randomBytes } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TokenVerifier } from '../src/index.ts';
import { now, type Realm, startRealm } from './realm.ts';

const unauthorized = { code: 'UNAUTHORIZED' };
let realm: Realm;
let otherRealm: Realm;
let verifier: TokenVerifier;
let otherKey: { privateKey: CryptoKey; publicJwk: JWK };

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  otherKey = { privateKey, publicJwk: await exportJWK(publicKey) };
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
const signedWithOtherKey = (header: Record<string, unknown> = {}) =>
  new SignJWT(goodPayload()).setProtectedHeader({ alg: 'RS256', kid: realm.key.kid, ...header }).sign(otherKey.privateKey);

const hmac = (secret: string | Buffer) =>
  new SignJWT(goodPayload()).setProtectedHeader({ alg: 'HS256', kid: realm.key.kid }).sign(Buffer.from(secret));

async function withSubject(sub: string): Promise<string> {
  const [header, , signature] = (await realm.token()).split('.');
  return [header, base64url(JSON.stringify({ ...goodPayload(), sub })), signature].join('.');
}

test('the token that the following cases change is valid', async () => {
  expect((await verifier.verify(signed({}, JSON.stringify(goodPayload())))).sub).toBe('a-person');
});

// Each token with an unknown key waits up to 2 seconds for the next fetch of the keys.
describe.concurrent('the verifier rejects as invalid', () => {
  // Rules: AUTH-2, AUTH-3
  test.each<[string, () => string | Promise<string>]>([
    ['a token that is not a JWT', () => 'token'],
    ['a token with three empty parts', () => '..'],
    ['a token whose parts are not JSON', () => 'a.b.c'],
    ['a token with five parts (JWE)', () => 'a.b.c.d.e'],
    ['random bytes', () => randomBytes(300).toString('base64url')],
    ['another payload under the signature', () => withSubject('somebody-else')],
    ['a signed JSON string', () => signed({}, '"a-person"')],
    ['a signed JSON array', () => signed({}, '[]')],
    ['a signed null', () => signed({}, 'null')],
    ['bytes that are not UTF-8', () => signed({}, '').replace('..', `.${Buffer.from([0xff, 0xfe]).toString('base64url')}.`)],
    [
      'HS256 with the public key as PEM',
      () => hmac(createPublicKey({ key: realm.key, format: 'jwk' }).export({ type: 'spki', format: 'pem' })),
    ],
    ['HS256 with the public key as JWK', () => hmac(JSON.stringify({ kty: 'RSA', n: realm.key.n, e: realm.key.e }))],
    ['HS256 with a key of zero bytes', () => hmac(Buffer.alloc(32))],
    ['alg none', () => new UnsecuredJWT(goodPayload()).encode()],
    ['alg none with a signature', () => signed({ alg: 'none' }, JSON.stringify(goodPayload()))],
    ['no alg', () => signed({ alg: undefined }, JSON.stringify(goodPayload()))],
    ['an alg that differs from that of the key', () => signed({ alg: 'PS256' }, JSON.stringify(goodPayload()))],
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
    ['a kid that is not a string', () => signed({ kid: { $ne: null } }, JSON.stringify(goodPayload()))],
    ['a critical extension (crit)', () => signed({ crit: ['cnf'], cnf: {} }, JSON.stringify(goodPayload()))],
    ['a key that is not the issuer’s, with the kid of the issuer’s key', () => signedWithOtherKey()],
    ['a key that is not the issuer’s, as jwk in the header', () => signedWithOtherKey({ jwk: otherKey.publicJwk, kid: undefined })],
    [
      'a certificate that is not the issuer’s, as x5c in the header',
      () => signedWithOtherKey({ x5c: [Buffer.from(JSON.stringify(otherKey.publicJwk)).toString('base64')] }),
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
    await expect(verifier.verify(await make())).rejects.toMatchObject({ ...unauthorized, message: 'The token is invalid.' });
  });
});

describe('the verifier rejects, with the reason, a token', () => {
  // Rules: AUTH-2, AUTH-3
  test.each<[string, () => Record<string, unknown>, string | RegExp]>([
    ['that has expired', () => ({ exp: now() - 60 }), 'The token has expired'],
    ['that expired 6 seconds ago, beyond the tolerance', () => ({ exp: now() - 6 }), 'The token has expired'],
    ['that is not valid yet', () => ({ nbf: now() + 3600 }), /"nbf"/],
    ['of another issuer', () => ({ iss: 'https://id.example/realms/profile' }), /"iss"/],
    ['of an issuer that differs in a trailing slash', () => ({ iss: `${realm.identity.realmUrl}/` }), /"iss"/],
    ['of an issuer that differs in case', () => ({ iss: realm.identity.realmUrl.toUpperCase() }), /"iss"/],
    ['of two issuers', () => ({ iss: [realm.identity.realmUrl] as never }), /"iss"/],
    ['without issuer', () => ({ iss: undefined }), 'The token has no claim "iss"'],
    ['without exp', () => ({ exp: undefined }), 'The token has no claim "exp"'],
    ['with an exp that is not a number', () => ({ exp: '2030' as never }), /"exp"/],
    ['without sub, aud and roles (lightweight)', () => ({ sub: undefined, azp: 'web' }), 'The token has no claim "sub"'],
    ['with an empty subject', () => ({ sub: '' }), /"sub"/],
    ['with a subject that is not a string', () => ({ sub: 5 as never }), /"sub"/],
    ['with a subject of 1 MB', () => ({ sub: 'x'.repeat(1_000_000) }), /"sub"/],
    ['with a NUL character in the subject', () => ({ sub: 'a\0person' }), /"sub"/],
    ['with a client of 1 MB', () => ({ azp: 'x'.repeat(1_000_000) }), /"azp"/],
    ['with a client that is not a string', () => ({ azp: null }), /"azp"/],
    ['of typ ID', () => ({ typ: 'ID' }), /no access token/],
    ['of typ Refresh', () => ({ typ: 'Refresh' }), /no access token/],
    ['of typ DPoP', () => ({ typ: 'DPoP' }), /no access token/],
    ['of typ Logout', () => ({ typ: 'Logout' }), /no access token/],
  ])('%s', async (_name, claims, message) => {
    const token = await realm.token(claims());
    await expect(verifier.verify(token)).rejects.toMatchObject({ ...unauthorized, message: expect.stringMatching(message) });
  });

  test('that is an ID token of a login', async () => {
    const { id_token: token } = await realm.login();
    await expect(verifier.verify(token)).rejects.toMatchObject({ ...unauthorized, message: 'The token is no access token' });
  });
});
