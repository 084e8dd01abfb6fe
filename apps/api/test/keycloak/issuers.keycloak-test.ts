import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRealm, type KeycloakRealm } from '../../../../test/keycloak/create-realm.ts';
import { realmOfFile } from '../../../../test/keycloak/realm-file.ts';
import { type Api, createApi, outcome } from '../support/api.ts';
import { useKeycloakWorld } from './support/keycloak-world.ts';
import { createTenant } from './support/logins.ts';
import { clientCredentials } from './support/tokens.ts';

const world = useKeycloakWorld();
let applications: KeycloakRealm;
let api: Api;
beforeAll(async () => {
  applications = await createRealm(world.keycloak, realmOfFile());
  api = createApi((await world.another({ IDENTITY_AUTH_URL: applications.url })).url);
  await createTenant(world, 'portal-app');
});
afterAll(() => applications.stop());

test('with two issuers, users come from one realm and applications from the other', async () => {
  const [own, foreign] = [await clientCredentials(applications.url, 'portal-app'), await clientCredentials(world.realm.url, 'portal-app')];
  expect(outcome(await api.call(world.global, 'GET /api/apps'))).toBe(200);
  expect(outcome(await api.call({ token: own }, 'GET /service/organizations'))).toBe(200);
  expect(outcome(await api.call({ token: foreign }, 'GET /service/organizations'))).toBe('UNAUTHORIZED');
  expect(outcome(await api.call({ token: own }, 'GET /api/apps'))).toBe('UNAUTHORIZED');
  expect(outcome(await api.call(world.global, 'GET /service/organizations'))).toBe('UNAUTHORIZED');
});
