import type { JWTPayload } from 'jose';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { TokenVerifier } from '../src/index.ts';
import { now, privateKey, startRealm } from './realm.ts';

const realm = await startRealm();
afterAll(() => realm.stop());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
/** Returns the subject of a token, or the error code. */
async function verify(verifier: TokenVerifier, token: string) {
  try {
    return (await verifier.verify(token)).sub;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

test.each<[string, () => JWTPayload]>([
  ['that expired 2 seconds ago, within the tolerance of 5 seconds', () => ({ exp: now() - 2 })],
  ['that is valid in 4 seconds, within the tolerance', () => ({ nbf: now() + 4 })],
  ['without a typ', () => ({ typ: undefined })],
  ['that is valid for a thousand years', () => ({ exp: now() + 31_536_000_000 })],
  ['that expires at a fraction of a second', () => ({ exp: now() + 300.5 })],
])('a token is valid %s', async (_name, claims) => {
  expect(await verify(realm.verifier(), await realm.token(claims()))).toBe('a-person');
});

// Rules: AUTH-4
test.each([
  ['a-person', ['RS256', 'PS256', 'ES256', 'EdDSA']],
  ['UNAUTHORIZED', ['RS384', 'PS512', 'ES384']],
])('the result is %s for a token of the issuer signed with %j', async (expected, algorithms) => {
  for (const alg of algorithms) {
    const other = await startRealm(await privateKey(alg));
    expect(await verify(other.verifier(), await other.token())).toBe(expected);
    await other.stop();
  }
});

// Rules: AUTH-6
test.each([
  ['a-person', ['profile-service', ['account', 'profile-service']]],
  ['UNAUTHORIZED', [undefined, 'account', ['account', 'web'], 'profile-service-2']],
])('with a required audience, the result is %s for a token for %j', async (expected, audiences) => {
  for (const aud of audiences) expect(await verify(realm.verifier('profile-service'), await realm.token({ aud }))).toBe(expected);
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

  test('does not make a token valid that differs in one character of its claims or of its signature', async () => {
    const verifier = realm.verifier();
    const mine = await realm.token();
    await verifier.verify(mine);
    for (const place of [mine.indexOf('.') + 20, mine.length - 100, mine.length - 20]) {
      const forged = `${mine.slice(0, place)}${mine[place] === 'A' ? 'B' : 'A'}${mine.slice(place + 1)}`;
      expect(await verify(verifier, forged)).toBe('UNAUTHORIZED');
    }
  });

  test('is removed from the cache when 5,000 others were used later', async () => {
    const { issuer, token, verifier, stop } = await startRealm(await privateKey('EdDSA'));
    await issuer.refresh();
    const [keyLookups, verifying] = [vi.spyOn(issuer, 'key'), verifier()];
    const first = await token();
    const others = await Promise.all(Array.from({ length: 5_000 }, (_, index) => token({ sub: `person-${index}` })));
    for (const each of [first, ...others, ...others]) await verifying.verify(each);
    expect(keyLookups).toHaveBeenCalledTimes(5_001);
    await verifying.verify(first);
    expect(keyLookups).toHaveBeenCalledTimes(5_002);
    await stop();
  });
});
