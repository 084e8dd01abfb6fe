import { createPublicKey, createSign, randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { now, startRealm } from './realm.ts';

const unauthorized = { code: 'UNAUTHORIZED' };
const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
const otherKey = { privateKey, publicJwk: await exportJWK(publicKey) };
const realm = await startRealm();
const otherRealm = await startRealm({ ...(await exportJWK(privateKey)), alg: 'RS256' });
afterAll(() => Promise.all([realm.stop(), otherRealm.stop()]));
const verifier = realm.verifier();

const goodPayload = (): JWTPayload => ({ iss: realm.identity.realmUrl, sub: 'a-person', typ: 'Bearer', exp: now() + 300 });
const certs = `${otherRealm.identity.realmUrl}/protocol/openid-connect/certs`;
const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** Header and payload with the signature of the realm. */
function signed(header: object, body: string): string {
  const content = `${base64url(JSON.stringify({ alg: 'RS256', kid: realm.key.kid, ...header }))}.${base64url(body)}`;
  return `${content}.${createSign('sha256').update(content).sign({ key: realm.key, format: 'jwk' }, 'base64url')}`;
}

/** A valid payload with the signature of another key. */
const signedWithOtherKey = (header: Record<string, unknown> = {}) =>
  new SignJWT(goodPayload()).setProtectedHeader({ alg: 'RS256', kid: realm.key.kid, ...header }).sign(otherKey.privateKey);

/** The payload of a valid token with the signature of another realm. */
const ofOtherRealm = (header: Record<string, unknown> = {}) => otherRealm.token({ iss: realm.identity.realmUrl }, { header });

/** A valid payload with the signature of the realm and a wrong header. */
const withHeader = (header: object) => signed(header, JSON.stringify(goodPayload()));

const hmac = (secret: string | Buffer) =>
  new SignJWT(goodPayload()).setProtectedHeader({ alg: 'HS256', kid: realm.key.kid }).sign(Buffer.from(secret));
const publicPem = createPublicKey({ key: realm.key, format: 'jwk' }).export({ type: 'spki', format: 'pem' });

async function withSubject(sub: string): Promise<string> {
  const [header, , signature] = (await realm.token()).split('.');
  return [header, base64url(JSON.stringify({ ...goodPayload(), sub })), signature].join('.');
}

test('the token that the following cases change is valid', async () => {
  expect((await verifier.verify(withHeader({}))).sub).toBe('a-person');
});

// Each token with an unknown key waits up to 2 seconds for the next fetch of the keys.
describe.concurrent('the verifier rejects as invalid', () => {
  const kids = ['../../../../dev/null', "' or 1=1; --", '__proto__', 'https://id.example/key', '', { $ne: null }];
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
    ['HS256 with the public key as PEM', () => hmac(publicPem)],
    ['HS256 with the public key as JWK', () => hmac(JSON.stringify({ kty: 'RSA', n: realm.key.n, e: realm.key.e }))],
    ['HS256 with a key of zero bytes', () => hmac(Buffer.alloc(32))],
    ['alg none', () => new UnsecuredJWT(goodPayload()).encode()],
    ['alg none with a signature', () => withHeader({ alg: 'none' })],
    ['no alg', () => withHeader({ alg: undefined })],
    ['an alg that differs from that of the key', () => withHeader({ alg: 'PS256' })],
    ...kids.map((kid): [string, () => string] => [`a kid that is ${JSON.stringify(kid)}`, () => withHeader({ kid })]),
    ['a critical extension (crit)', () => withHeader({ crit: ['cnf'], cnf: {} })],
    ['another key with the kid of the issuer’s key', () => signedWithOtherKey()],
    ['another key as jwk in the header', () => signedWithOtherKey({ jwk: otherKey.publicJwk, kid: undefined })],
    ['another certificate as x5c in the header', () => signedWithOtherKey({ x5c: [btoa(JSON.stringify(otherKey.publicJwk))] })],
    ['another realm’s key', () => ofOtherRealm()],
    ['another realm’s keys as jku in the header', () => ofOtherRealm({ jku: certs })],
    ['another realm’s keys as x5u in the header', () => ofOtherRealm({ x5u: certs })],
    ['a refresh token', async () => (await realm.login()).refresh_token],
  ])('%s', async (_name, make) => {
    await expect(verifier.verify(await make())).rejects.toMatchObject({ ...unauthorized, message: 'The token is invalid.' });
  });
});

describe('the verifier rejects, with the reason, a token', () => {
  // Rules: AUTH-2, AUTH-3
  test.each<readonly [string, () => Record<string, unknown>, string | RegExp]>([
    ['that expired 6 seconds ago, beyond the tolerance', () => ({ exp: now() - 6 }), 'The token has expired'],
    ['that is not valid yet', () => ({ nbf: now() + 3600 }), /"nbf"/],
    ['of another issuer', () => ({ iss: 'https://id.example/realms/profile' }), /"iss"/],
    ['of an issuer that differs in a trailing slash', () => ({ iss: `${realm.identity.realmUrl}/` }), /"iss"/],
    ['without issuer', () => ({ iss: undefined }), 'The token has no claim "iss"'],
    ['without exp', () => ({ exp: undefined }), 'The token has no claim "exp"'],
    ['without sub, aud and roles (lightweight)', () => ({ sub: undefined, azp: 'web' }), 'The token has no claim "sub"'],
    ['with a subject of 1 MB', () => ({ sub: 'x'.repeat(1_000_000) }), /"sub"/],
    ...['ID', 'Refresh', 'DPoP', 'Logout'].map((typ) => [`of typ ${typ}`, () => ({ typ }), /no access token/] as const),
  ])('%s', async (_name, claims, message) => {
    const token = await realm.token(claims());
    await expect(verifier.verify(token)).rejects.toMatchObject({ ...unauthorized, message: expect.stringMatching(message) });
  });

  test('that is an ID token of a login', async () => {
    const { id_token: token } = await realm.login();
    await expect(verifier.verify(token)).rejects.toMatchObject({ ...unauthorized, message: 'The token is no access token' });
  });
});
