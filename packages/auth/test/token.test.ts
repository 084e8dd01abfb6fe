import type { JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { now, type Realm, startRealm } from './realm.ts';

let realm: Realm;
beforeAll(async () => (realm = await startRealm()));
afterAll(() => realm.stop());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a valid token', () => {
  test('returns the subject and the client', async () => {
    const [person] = realm.identity.users();
    const { access_token: token } = await realm.login();
    expect(await realm.verifier().verify(token)).toMatchObject({ sub: person?.id, azp: 'web', hasSession: true });
  });

  test.each<[string, () => JWTPayload]>([
    ['expired a moment ago, within the tolerance', () => ({ exp: now() - 2 })],
    ['valid in a moment, within the tolerance', () => ({ nbf: now() + 4 })],
    ['without a typ', () => ({ typ: undefined })],
    ['valid for a thousand years', () => ({ exp: now() + 31_536_000_000 })],
    ['with fractions of a second', () => ({ exp: now() + 300.5 })],
  ])('%s', async (_name, claims) => {
    expect((await realm.verifier().verify(await realm.token(claims()))).sub).toBe('a-person');
  });
});

describe('the algorithm', () => {
  async function verifySignedWith(alg: string) {
    const other = await startRealm(alg);
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
  test.each(['RS384', 'PS512', 'ES384'])('%s is rejected, also with a key of the issuer', async (alg) => {
    await expect(verifySignedWith(alg)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('IDENTITY_AUDIENCE, when set,', () => {
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

  test('does not make a token valid that differs in one character', async () => {
    const verifier = realm.verifier();
    const mine = await realm.token();
    await verifier.verify(mine);
    const other = mine.at(-20) === 'A' ? 'B' : 'A';
    const forged = `${mine.slice(0, -20)}${other}${mine.slice(-19)}`;
    await expect(verifier.verify(forged)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('is forgotten after 5,000 others', async () => {
    const busy = await startRealm('EdDSA');
    try {
      await busy.issuer.refresh();
      const [verifier, keyLookups] = [busy.verifier(), vi.spyOn(busy.issuer, 'key')];
      const first = await busy.token();
      await verifier.verify(first);
      for (let index = 0; index < 5_000; index += 1) await verifier.verify(await busy.token({ sub: `person-${index}` }));
      expect(keyLookups).toHaveBeenCalledTimes(5_001);
      await verifier.verify(first);
      expect(keyLookups).toHaveBeenCalledTimes(5_002);
    } finally {
      await busy.stop();
    }
  });
});
