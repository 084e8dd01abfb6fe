import { afterAll, beforeAll, expect, test } from 'vitest';
import { ana } from './realm-data.ts';
import { adminClient, passwordGrant, requestToken, verified } from './requests.ts';
import { startProvider } from './start-provider.ts';
import type { TestedProvider } from './tested-provider.ts';

let idp: TestedProvider;

beforeAll(async () => {
  idp = await startProvider();
});
afterAll(() => idp.stop());

const accessToken = async () => (await passwordGrant(idp, ana.email, ana.password)).body['access_token'] ?? '';

test('a new key signs at once, and tokens of the old key verify until it is removed', async () => {
  const before = await accessToken();
  const { body } = await passwordGrant(idp, ana.email, ana.password, { scope: 'openid' });
  const admin = await adminClient(idp);
  await idp.rotateKey('RS256');
  const after = await accessToken();
  const [first, second] = [await verified(idp, before), await verified(idp, after)];
  expect(second.header).not.toEqual(first.header);
  expect(await admin.users.count()).toBe(2);

  await idp.removeOldKeys();
  await expect(verified(idp, before)).rejects.toThrow(/no applicable key/);
  expect((await verified(idp, after)).payload.sub).toBe(ana.id);
  await expect(admin.users.count()).rejects.toMatchObject({ response: { status: 401 } });
  const refresh = { grant_type: 'refresh_token', client_id: 'profile-web', refresh_token: body['refresh_token'] ?? '' };
  expect((await requestToken(idp, refresh)).status).toBe(200);
});

test.each(['PS256', 'ES256', 'EdDSA'])('a key of the algorithm %s can sign', async (algorithm) => {
  await idp.rotateKey(algorithm);
  expect((await verified(idp, await accessToken())).header).toMatchObject({ alg: algorithm });
});

test('the published keys have no private members', async () => {
  await idp.rotateKey('RS256');
  const { keys } = (await (await fetch(`${idp.realmUrl}/protocol/openid-connect/certs`)).json()) as { keys: Record<string, string>[] };
  const signing = keys.filter(({ use }) => use === 'sig');
  expect(signing.length).toBeGreaterThan(1);
  for (const key of signing) {
    expect(key).toMatchObject({ alg: expect.any(String), kty: expect.any(String), kid: expect.any(String) });
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(Object.keys(key)).not.toContain(member);
  }
});
