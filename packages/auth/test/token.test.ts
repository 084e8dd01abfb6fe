import type { JWTPayload } from 'jose';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { TokenVerifier } from '../src/index.ts';
import { now, privateKey, startRealm } from './realm.ts';

const realm = await startRealm();
afterAll(() => realm.stop());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
const unauthorized = { code: 'UNAUTHORIZED' };

test.each<[string, () => JWTPayload]>([
  ['that expired 2 seconds ago, within the tolerance of 5 seconds', () => ({ exp: now() - 2 })],
  ['that is valid in 4 seconds, within the tolerance', () => ({ nbf: now() + 4 })],
  ['without a typ', () => ({ typ: undefined })],
  ['that is valid for a thousand years', () => ({ exp: now() + 31_536_000_000 })],
  ['that expires at a fraction of a second', () => ({ exp: now() + 300.5 })],
])('a token is valid %s', async (_name, claims) => {
  expect((await realm.verifier().verify(await realm.token(claims()))).sub).toBe('a-person');
});

// Rules: AUTH-4
test.each([
  ['accepted', ['RS256', 'PS256', 'ES256', 'EdDSA']],
  ['rejected', ['RS384', 'PS512', 'ES384']],
])('the signing algorithm is %s: %j', async (outcome, algorithms) => {
  for (const alg of algorithms) {
    const other = await startRealm(await privateKey(alg));
    const claims = other.verifier().verify(await other.token());
    if (outcome === 'accepted') expect((await claims).sub).toBe('a-person');
    else await expect(claims).rejects.toMatchObject(unauthorized);
    await other.stop();
  }
});

// Rules: AUTH-6
test('a required audience must be one of those of the token', async () => {
  const verifyFor = async (aud?: string | string[]) => realm.verifier('profile-service').verify(await realm.token({ aud }));
  for (const aud of ['profile-service', ['account', 'profile-service']]) expect((await verifyFor(aud)).sub).toBe('a-person');
  for (const aud of [undefined, 'account', ['account', 'web'], 'profile-service-2'])
    await expect(verifyFor(aud)).rejects.toMatchObject(unauthorized);
});

test('an unusable key of the provider does not make a token invalid', async () => {
  const bug = new TypeError('x is not a function');
  vi.spyOn(realm.issuer, 'key').mockRejectedValue(bug);
  await expect(realm.verifier().verify(await realm.token())).rejects.toBe(bug);
});

describe('a verified token', () => {
  // Rules: CACHE-5
  test('is not verified again until it expires', async () => {
    await realm.issuer.refresh();
    const [verifier, keyLookups] = [realm.verifier(), vi.spyOn(realm.issuer, 'key')];
    const mine = await realm.token({}, { expiresIn: 100 });
    const claims = await verifier.verify(mine);
    for (let index = 0; index < 5; index += 1) expect(await verifier.verify(mine)).toBe(claims);
    expect(keyLookups).toHaveBeenCalledTimes(1);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 102_000 });
    await verifier.verify(mine);
    await verifier.verify(mine);
    expect(keyLookups).toHaveBeenCalledTimes(3);
    vi.setSystemTime(Date.now() + 10_000);
    await expect(verifier.verify(mine)).rejects.toMatchObject({ message: 'The token has expired' });
  });

  test('does not make a token valid whose signature differs in one character', async () => {
    const verifier = realm.verifier();
    const mine = await realm.token();
    await verifier.verify(mine);
    const other = mine.at(-20) === 'A' ? 'B' : 'A';
    const forged = `${mine.slice(0, -20)}${other}${mine.slice(-19)}`;
    await expect(verifier.verify(forged)).rejects.toMatchObject(unauthorized);
  });

  test('is removed from the cache when the cache is full and others were used later', async () => {
    await realm.issuer.refresh();
    const verifier = new TokenVerifier({ issuer: realm.issuer, clientId: 'profile-service', maxCachedTokens: 3 });
    const keyLookups = vi.spyOn(realm.issuer, 'key');
    const [first = '', ...others] = await Promise.all([1, 2, 3, 4].map((index) => realm.token({ sub: `person-${index}` })));
    for (const token of [first, ...others, ...others]) await verifier.verify(token);
    expect(keyLookups).toHaveBeenCalledTimes(4);
    await verifier.verify(first);
    expect(keyLookups).toHaveBeenCalledTimes(5);
  });
});
