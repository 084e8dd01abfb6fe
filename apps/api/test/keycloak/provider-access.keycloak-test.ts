import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { createApi } from '../support/api.ts';
import { startHttpProxy } from '../support/http-proxy.ts';
import { startProcess } from '../support/process.ts';
import type { User, UserPage } from '../support/records.ts';
import { pemFileOf } from '../support/tls-proxy.ts';
import { useKeycloakWorld } from './support/keycloak-world.ts';
import { createIdentity } from './support/logins.ts';

const world = useKeycloakWorld();

const reasonOf = async ({ managementUrl }: Pick<Service, 'managementUrl'>) => {
  const response = await fetch(`${managementUrl}/health/ready`);
  const { status, reasons } = (await response.json()) as { status: string; reasons: Record<string, string> };
  return [response.status, status, reasons['identity']];
};

/** Starts a service and expects user creation to be 503, and health and log to give this reason. */
async function expectUnavailable(settings: Record<string, string>, reason: string): Promise<void> {
  const logged = world.log.length;
  const service = await world.another(settings);
  const person = world.newPerson();
  const { code } = await createApi(service.url).call(world.global, 'POST /api/users', person);
  expect(code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
  await expect.poll(() => reasonOf(service)).toEqual([200, 'degraded', reason]);
  expect(world.log.slice(logged)).toContainEqual(expect.objectContaining({ msg: 'identity is down', reason }));
  expect((await world.call<UserPage>(world.global, `GET /api/users?email=${person.email}`)).body.total).toBe(0);
}

test('a wrong secret makes user creation 503, and the log says what to check', async () => {
  const reason =
    'The identity provider rejects the service’s client: check IDENTITY_CLIENT_ID and IDENTITY_CLIENT_SECRET, and that its service account is enabled.';
  await expectUnavailable({ IDENTITY_CLIENT_SECRET: 'wrong' }, reason);
});

describe('the roles of the service account', () => {
  const missing =
    'The service account of the client profile-service lacks manage-users of realm-management: assign view-users and manage-users, otherwise no user can be created.';
  afterEach(async () => {
    await setRoles(['view-users', 'manage-users']);
    await setLightweightTokens(false);
  });

  test.each([
    ['view-users alone', ['view-users']],
    ['no role', []],
  ])('%s makes user creation 503, and the log names what is missing', async (_case, roles) => {
    await setRoles(roles);
    await expectUnavailable({}, missing);
  });

  test('manage-users alone is enough to look up and create users and to send mails, and health is ok', async () => {
    await setRoles(['manage-users']);
    const service = await world.another();
    const api = createApi(service.url);
    const { email, subject } = await createIdentity(world);
    const found = await api.call<User>(world.global, 'POST /api/users', { ...world.newPerson(), email });
    expect([found.status, found.body.idIdentity]).toEqual([201, subject]);
    const created = await api.call<User>(world.global, 'POST /api/users', world.newPerson());
    expect(created.status).toBe(201);
    await expect.poll(() => world.realm.smtp.mailsTo(created.body.email)).toHaveLength(1);
    await expect.poll(() => reasonOf(service)).toEqual([200, 'ok', undefined]);
  });

  test.each([
    ['with tokens that contain no roles, and both roles', true, ['view-users', 'manage-users'], [200, 'ok', undefined]],
    ['with tokens that contain no roles, without manage-users', true, ['view-users'], [200, 'degraded', missing]],
    ['with its usual tokens, without manage-users', false, ['view-users'], [200, 'degraded', missing]],
  ])('%s, the health check reports it and writes no admin event', async (_case, isLightweight, roles, expected) => {
    const { admin, name: realm } = world.realm;
    await setLightweightTokens(isLightweight);
    await setRoles(roles);
    await admin.realms.update({ realm }, { adminEventsEnabled: true, adminEventsDetailsEnabled: true });
    onTestFinished(() => admin.realms.update({ realm }, { adminEventsEnabled: false }));
    await admin.realms.clearAdminEvents({ realm });
    const service = await world.another();
    await expect.poll(() => reasonOf(service)).toEqual(expected);
    expect(await admin.realms.findAdminEvents({ realm })).toEqual([]);
  });
});

async function ownClient() {
  const [client = {}] = await world.realm.admin.clients.find({ clientId: 'profile-service' });
  return client;
}

async function setLightweightTokens(enabled: boolean): Promise<void> {
  const client = await ownClient();
  const attributes = { 'client.use.lightweight.access.token.enabled': String(enabled) };
  await world.realm.admin.clients.update({ id: client.id ?? '' }, { ...client, attributes });
}

/** Gives the service account exactly these roles of realm-management. */
async function setRoles(names: string[]): Promise<void> {
  const { admin } = world.realm;
  const id = (await admin.clients.getServiceAccountUser({ id: (await ownClient()).id ?? '' })).id ?? '';
  const [management] = await admin.clients.find({ clientId: 'realm-management' });
  const key = { id, clientUniqueId: management?.id ?? '' };
  const mapping = ({ id: roleId = '', name = '' }) => ({ id: roleId, name });
  await admin.users.delClientRoleMappings({ ...key, roles: (await admin.users.listClientRoleMappings(key)).map(mapping) });
  const available = await admin.users.listAvailableClientRoleMappings(key);
  await admin.users.addClientRoleMappings({ ...key, roles: available.filter(({ name = '' }) => names.includes(name)).map(mapping) });
}

test('an unknown realm makes the instance not ready, and the log says which settings to check', async () => {
  const unknown = `${world.keycloak.url}/realms/unknown`;
  const service = await world.another({ IDENTITY_REALM_URL: unknown, IDENTITY_AUTH_URL: unknown });
  const reason = 'The identity provider does not know the realm: check IDENTITY_REALM_URL and IDENTITY_AUTH_URL.';
  await expect.poll(() => reasonOf(service)).toEqual([503, 'down', reason]);
  expect(world.log).toContainEqual(expect.objectContaining({ msg: 'identity is down', reason }));
});

test('an issuer that differs from the one in the tokens makes the instance not ready, and the log says which one to set', async () => {
  // The same address, written in another way.
  const other = world.realm.url.replace(/^https?/, (scheme) => scheme.toUpperCase());
  const service = await world.another({ IDENTITY_REALM_URL: other, IDENTITY_AUTH_URL: other, IDENTITY_INTERNAL_URL: '' });
  const remedy = 'set IDENTITY_REALM_URL and IDENTITY_AUTH_URL to the issuers, exactly as in `iss` of the tokens.';
  const reason = expect.toSatisfy((text: string) => text.includes(world.realm.url) && text.endsWith(remedy)) as string;
  await expect.poll(() => reasonOf(service)).toEqual([503, 'down', reason]);
  expect((await createApi(service.url).call(world.global, 'GET /api/apps')).code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
});

test('a certificate of an unknown authority makes the instance not ready, and NODE_EXTRA_CA_CERTS makes it ready', async () => {
  const pemFile = pemFileOf('localhost');
  const proxy = await startHttpProxy(world.keycloak.internalUrl, { pemFile });
  const service = await world.another({ IDENTITY_INTERNAL_URL: proxy.url });
  const reason = 'The identity provider’s certificate is not accepted: add its authority with NODE_EXTRA_CA_CERTS.';
  await expect.poll(() => reasonOf(service)).toEqual([503, 'down', reason]);
  const trusting = await startProcess({ ...world.environment, IDENTITY_INTERNAL_URL: proxy.url, NODE_EXTRA_CA_CERTS: pemFile });
  await expect.poll(() => reasonOf(trusting)).toEqual([200, 'ok', undefined]);
  expect((await createApi(trusting.url).call(world.global, 'POST /api/users', world.newPerson())).status).toBe(201);
  expect(await trusting.stop()).toBe(0);
  await proxy.stop();
});
