import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../src/service.ts';
import { createApi } from '../support/api.ts';
import { startProcess } from '../support/process.ts';
import type { UserPage } from '../support/records.ts';
import { startHttpsProxy } from './support/https-proxy.ts';
import { type KeycloakWorld, startKeycloakWorld } from './support/keycloak-world.ts';

let world: KeycloakWorld;
beforeAll(async () => {
  world = await startKeycloakWorld();
});
afterAll(() => world.stop());

const reasonOf = async ({ managementUrl }: Pick<Service, 'managementUrl'>) => {
  const response = await fetch(`${managementUrl}/health/ready`);
  const { status, reasons } = (await response.json()) as { status: string; reasons: Record<string, string> };
  return [response.status, status, reasons['identity']];
};

/** Expects user creation to be 503, and health and log to give this reason. */
async function expectUnavailable(service: Service, reason: string): Promise<void> {
  const person = world.newPerson();
  const { code } = await createApi(service.url).call(world.global, 'POST /api/users', person);
  expect(code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
  await expect.poll(() => reasonOf(service)).toEqual([200, 'degraded', reason]);
  expect(world.log).toContainEqual(expect.objectContaining({ msg: 'identity is down', reason }));
  expect((await world.call<UserPage>(world.global, `GET /api/users?email=${person.email}`)).body.total).toBe(0);
}

test('with its roles the service creates users, and health is ok', async () => {
  expect((await world.call(world.global, 'POST /api/users', world.newPerson())).status).toBe(201);
  await expect.poll(() => reasonOf(world.service)).toEqual([200, 'ok', undefined]);
});

test('a wrong secret makes user creation 503, and the log says what to check', async () => {
  const service = await world.another({ IDENTITY_CLIENT_SECRET: 'wrong' });
  const reason =
    'The identity provider rejects the service’s client: check IDENTITY_CLIENT_ID and IDENTITY_CLIENT_SECRET, and that its service account is enabled.';
  await expectUnavailable(service, reason);
});

test.each([
  [['manage-users'], 'manage-users'],
  [['view-users', 'manage-users'], 'view-users and manage-users'],
])('a service account without %s makes user creation 503, and the log names what is missing', async (removed, missing) => {
  const { admin } = world.realm;
  const id = await serviceAccountId();
  const [management] = await admin.clients.find({ clientId: 'realm-management' });
  const clientUniqueId = management?.id ?? '';
  const all = await admin.users.listClientRoleMappings({ id, clientUniqueId });
  const roles = all.filter(({ name = '' }) => removed.includes(name)).map((role) => ({ id: role.id ?? '', name: role.name ?? '' }));
  await admin.users.delClientRoleMappings({ id, clientUniqueId, roles });
  const service = await world.another();
  const reason = `The service account of the client profile-service lacks ${missing} of realm-management: assign what is missing, otherwise no user can be created.`;
  await expectUnavailable(service, reason);
  await admin.users.addClientRoleMappings({ id, clientUniqueId, roles });
});

async function serviceAccountId(): Promise<string> {
  const { admin } = world.realm;
  const [client] = await admin.clients.find({ clientId: 'profile-service' });
  return (await admin.clients.getServiceAccountUser({ id: client?.id ?? '' })).id ?? '';
}

test('an unknown realm makes the instance not ready, and the log says which settings to check', async () => {
  const unknown = `${world.keycloak.url}/realms/unknown`;
  const service = await world.another({ IDENTITY_REALM_URL: unknown, IDENTITY_AUTH_URL: unknown });
  const reason = 'The identity provider does not know the realm: check IDENTITY_REALM_URL and IDENTITY_AUTH_URL.';
  await expect.poll(() => reasonOf(service)).toEqual([503, 'down', reason]);
  expect(world.log).toContainEqual(expect.objectContaining({ msg: 'identity is down', reason }));
});

test('an issuer that differs from the one in the tokens makes the instance not ready, and the log says which one to set', async () => {
  const { origin, host } = new URL(world.keycloak.url);
  // The same address, written in another way.
  const other = world.realm.url.replace(origin, origin.replace(host, host.toUpperCase()));
  const service = await world.another({ IDENTITY_REALM_URL: other, IDENTITY_AUTH_URL: other, IDENTITY_INTERNAL_URL: '' });
  const remedy = 'set IDENTITY_REALM_URL and IDENTITY_AUTH_URL to the issuers, exactly as in `iss` of the tokens.';
  const reason = expect.toSatisfy((text: string) => text.includes(world.realm.url) && text.endsWith(remedy)) as string;
  await expect.poll(() => reasonOf(service)).toEqual([503, 'down', reason]);
  expect((await createApi(service.url).call(world.global, 'GET /api/apps')).code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
});

test('a certificate of an unknown authority makes the instance not ready, and NODE_EXTRA_CA_CERTS makes it ready', async () => {
  const proxy = await startHttpsProxy(world.keycloak.internalUrl);
  const service = await world.another({ IDENTITY_INTERNAL_URL: proxy.url });
  const reason = 'The identity provider’s certificate is not accepted: add its authority with NODE_EXTRA_CA_CERTS.';
  await expect.poll(() => reasonOf(service)).toEqual([503, 'down', reason]);
  const trusting = await startProcess({ ...world.environment, IDENTITY_INTERNAL_URL: proxy.url, NODE_EXTRA_CA_CERTS: proxy.caFile });
  await expect.poll(() => reasonOf(trusting)).toEqual([200, 'ok', undefined]);
  expect((await createApi(trusting.url).call(world.global, 'POST /api/users', world.newPerson())).status).toBe(201);
  expect(await trusting.stop()).toBe(0);
  await proxy.stop();
});
