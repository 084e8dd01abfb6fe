import type { JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { TokenVerifier } from '../src/index.ts';
import { now, privateKey, type Realm, startRealm } from './realm.ts';

let realm: Realm;
beforeAll(async () => (realm = await startRealm()));
afterAll(() => realm.stop());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a valid token', () => {
  test.each<[string, () => JWTPayload]>([
    ['that expired 2 seconds ago, within the tolerance of 5 seconds', () => ({ exp: now() - 2 })],
    ['that is valid in 4 seconds, within the tolerance', () => ({ nbf: now() + 4 })],
    ['without a typ', () => ({ typ: undefined })],
    ['that is valid for a thousand years', () => ({ exp: now() + 31_536_000_000 })],
    ['that expires at a fraction of a second', () => ({ exp: now() + 300.5 })],
  ])('is one %s', async (_name, claims) => {
    expect((await realm.verifier().verify(await realm.token(claims()))).sub).toBe('a-person');
  });
});

describe('the signing algorithm', () => {
  async function verifySignedWith(alg: string) {
    const other = await startRealm(await privateKey(alg));
    try {
      return await other.verifier().verify(await other.token());
    } finally {
      await other.stop();
    }
  }

  // Rules: AUTH-4
  test.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('%s is accepted', async (alg) => {
    expect((await verifySignedWith(alg)).sub).toBe('a-person');
  });

  // Rules: AUTH-4
  test.each(['RS384', 'PS512', 'ES384'])('%s is rejected, even with a key of the issuer', async (alg) => {
    await expect(verifySignedWith(alg)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('a required audience', () => {
  const verifyFor = async (aud?: string | string[]) => realm.verifier('profile-service').verify(await realm.token({ aud }));

  // Rules: AUTH-6
  test.each([['profile-service'], [['account', 'profile-service']]])('accepts %j', async (aud) => {
    expect((await verifyFor(aud)).sub).toBe('a-person');
  });

  // Rules: AUTH-6
  test.each([[undefined], ['account'], [['account', 'web']], ['profile-service-2']])('rejects %j', async (aud) => {
    await expect(verifyFor(aud)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
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
    await expect(verifier.verify(forged)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
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
