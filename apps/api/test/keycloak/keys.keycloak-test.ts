import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useKeycloakWorld } from './support/keycloak-world.ts';
import { startLoad } from './support/load.ts';
import { globalUser, passwordGrant } from './support/tokens.ts';

const world = useKeycloakWorld();

const login = () => passwordGrant(world.realm.url, globalUser);
const target = 'GET /api/me/permissions';

/** Returns a token like the given one, with an unknown key id. */
function withJunkKeyId(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'RS256', typ: 'JWT', kid: randomUUID() })).toString('base64url');
  return token.replace(/^[^.]+/, header);
}

test('a rotation of the keys under load leaves every valid token accepted, also while tokens with unknown keys arrive', async () => {
  let token = await login();
  const old = token;
  const loads = [startLoad(world, target, () => ({ token })), startLoad(world, target, () => ({ token: old }))];
  const junk = startLoad(world, target, () => ({ token: withJunkKeyId(token) }), { clients: 8 });
  for (const algorithm of ['RS256', 'ES256', 'PS256', 'EdDSA']) {
    await world.realm.rotateKey(algorithm);
    token = await login();
    expect((await world.call({ token }, target)).status).toBe(200);
  }
  for (const outcomes of await Promise.all(loads.map((load) => load.stop()))) expect(Object.keys(outcomes)).toEqual(['200']);
  expect(Object.keys(await junk.stop())).toEqual(['UNAUTHORIZED']);
});

test('tokens of a removed key are 401 after the next fetch of the keys', async () => {
  const old = await login();
  await world.realm.rotateKey('RS256');
  await world.realm.removeOldKeys();
  expect((await world.call({ token: await login() }, target)).status).toBe(200);
  // The service may have fetched both keys between the two changes. It fetches them again every 5 seconds.
  await expect.poll(async () => (await world.call({ token: old }, target)).code).toBe('UNAUTHORIZED');
});
