import { exportJWK, generateKeyPair } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { IdentityProvider } from '../../src/identity/provider.ts';
import { adminClient, ana, passwordGrant, requestToken, startRealm, verified } from './realm.ts';

let idp: IdentityProvider;

beforeEach(async () => {
  idp = await startRealm();
});
afterEach(() => idp.stop());

const accessToken = async () => (await passwordGrant(idp, ana.email, ana.password)).body['access_token'] ?? '';

test('a new key signs at once, and tokens of the old key verify until it is removed', async () => {
  const before = await accessToken();
  const { body } = await passwordGrant(idp, ana.email, ana.password, { scope: 'openid' });
  const admin = await adminClient(idp);
  await idp.rotateKey();
  const after = await accessToken();
  const [first, second] = [await verified(idp, before), await verified(idp, after)];
  expect(second.header).not.toEqual(first.header);
  expect((await verified(idp, await idp.sign({}))).header).toEqual(second.header);
  expect(await admin.users.count()).toBe(2);

  await idp.removeOldKeys();
  await expect(verified(idp, before)).rejects.toThrow(/no applicable key/);
  expect((await verified(idp, after)).payload.sub).toBe(ana.id);
  await expect(admin.users.count()).rejects.toMatchObject({ response: { status: 401 } });
  const refresh = { grant_type: 'refresh_token', client_id: 'profile-web', refresh_token: body['refresh_token'] ?? '' };
  expect((await requestToken(idp, refresh)).status).toBe(200);
});

test('keys of other algorithms can sign', async () => {
  for (const alg of ['PS256', 'ES256', 'EdDSA']) {
    const { privateKey } = await generateKeyPair(alg, { extractable: true });
    await idp.rotateKey({ ...(await exportJWK(privateKey)), alg });
    expect((await verified(idp, await accessToken())).header).toMatchObject({ alg });
  }
});

test('the published keys have no private members', async () => {
  await idp.rotateKey();
  const { keys } = (await (await fetch(`${idp.realmUrl}/protocol/openid-connect/certs`)).json()) as { keys: object[] };
  expect(keys).toHaveLength(2);
  for (const key of keys) expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});
