import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdentityProvider } from '../src/identity/provider.ts';
import { adminClient, ana, application, bob, passwordGrant, startRealm } from './identity-realm.ts';

let idp: IdentityProvider;
let admin: KeycloakAdminClient;

beforeAll(async () => {
  idp = await startRealm();
  admin = await adminClient(idp);
});
afterAll(() => idp.stop());

const newcomer = () => ({ email: `${crypto.randomUUID()}@example.com`, firstName: 'Nova', lastName: 'Pessoa', enabled: true });

/** What the admin client's call was refused with. */
async function refusal(call: Promise<unknown>): Promise<{ status: number; data: unknown }> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof NetworkError)) throw new Error(`the call was not refused by an answer: ${String(error)}`);
  return { status: error.response.status, data: error.responseData };
}

/** A request of the admin API without the admin client. */
function raw(
  path: string,
  { headers = {}, ...init }: { method?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const usual = { authorization: `Bearer ${admin.accessToken}`, 'content-type': 'application/json' };
  return fetch(`${idp.url}/admin/realms/${idp.realm}${path}`, { ...init, headers: { ...usual, ...headers } });
}

type UserQuery = NonNullable<Parameters<KeycloakAdminClient['users']['find']>[0]>;

describe('looking people up', () => {
  const emails = async (query: UserQuery) => (await admin.users.find(query)).map(({ email }) => email);

  test('compares the whole e-mail without case and without wildcards where exact is asked for', async () => {
    expect(await emails({ email: 'ANA@example.com', exact: true })).toEqual([ana.email]);
    expect(await emails({ email: 'ana', exact: true })).toEqual([]);
    expect(await emails({ email: '%na@example.com', exact: true })).toEqual([]);
    expect(await emails({ username: 'Bob@Example.com', exact: true })).toEqual([bob.email]);
  });

  test('finds what contains or begins with the words otherwise, in order of username, in pages', async () => {
    expect(await emails({ email: 'na@exam' })).toEqual([ana.email]);
    expect(await emails({ search: 'sil an' })).toEqual([ana.email]);
    expect(await emails({ search: 'ilva' })).toEqual([]);
    expect(await emails({ search: '*ilva' })).toEqual([ana.email]);
    expect(await emails({ search: `id:${bob.id}` })).toEqual([bob.email]);
    const all = await emails({});
    expect(all).toEqual(all.toSorted());
    expect(await emails({ first: 1, max: 1 })).toEqual(all.slice(1, 2));
    expect((await raw('/users/?email=ana@example.com&exact=true')).status).toBe(200);
  });

  test('shows what Keycloak shows and nothing of the password', async () => {
    expect(await admin.users.findOne({ id: ana.id })).toEqual({
      id: ana.id,
      username: ana.email,
      email: ana.email,
      firstName: 'Ana',
      lastName: 'Silva',
      emailVerified: true,
      enabled: true,
      createdTimestamp: expect.any(Number),
      totp: false,
      disableableCredentialTypes: [],
      requiredActions: [],
      notBefore: 0,
      access: { manage: true },
    });
    expect(await admin.users.findOne({ id: crypto.randomUUID() })).toBeNull();
  });

  test('hides service accounts from lists and counts', async () => {
    const { length } = await admin.users.find({ max: 1000 });
    expect(await admin.users.count()).toBe(length);
    expect(await emails({ search: 'service-account' })).toEqual([]);
  });
});

describe('creating', () => {
  test('makes a person with the e-mail in lower case as username, disabled unless told otherwise', async () => {
    const { email, enabled: _enabled, ...names } = newcomer();
    const { id } = await admin.users.create({
      ...names,
      email: email.toUpperCase(),
      username: 'ignored',
      requiredActions: ['VERIFY_EMAIL', 'UNHEARD_OF'],
    });
    expect(await admin.users.findOne({ id })).toMatchObject({
      username: email,
      email,
      enabled: false,
      emailVerified: false,
      requiredActions: ['VERIFY_EMAIL'],
    });
    expect(idp.users()).toContainEqual(expect.objectContaining({ id, email }));
  });

  test('says where the person is', async () => {
    const response = await raw('/users', { method: 'POST', body: JSON.stringify(newcomer()) });
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toMatch(new RegExp(`^${idp.url}/admin/realms/profile/users/[0-9a-f-]{36}$`));
  });

  test('refuses an e-mail that somebody has, also in another case and in a race', async () => {
    const duplicate = { status: 409, data: { errorMessage: 'User exists with same email' } };
    expect(await refusal(admin.users.create({ ...newcomer(), email: ana.email.toUpperCase() }))).toEqual(duplicate);
    const same = newcomer();
    const race = await Promise.allSettled([1, 2, 3, 4].map(() => admin.users.create(same)));
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each([
    ['an e-mail that is none', { email: 'plain' }, { field: 'email', errorMessage: 'error-invalid-email', params: ['email', 'plain'] }],
    [
      'a local part beyond ASCII',
      { email: 'ção@example.com' },
      { field: 'email', errorMessage: 'error-non-ascii-local-part-email', params: ['email'] },
    ],
    [
      'a name with a bracket',
      { firstName: 'A(b' },
      { field: 'firstName', errorMessage: 'error-person-name-invalid-character', params: ['firstName'] },
    ],
    [
      'a name too long',
      { lastName: 'x'.repeat(256) },
      { field: 'lastName', errorMessage: 'error-invalid-length-too-long', params: ['lastName', null, 255] },
    ],
    [
      'no e-mail',
      { email: undefined, username: 'someone' },
      { field: 'email', errorMessage: 'error-user-attribute-required', params: ['email'] },
    ],
    ['neither e-mail nor username', { email: undefined }, { errorMessage: 'User name is missing' }],
    ['a field that Keycloak does not know', { nickname: 'x' }, { error: expect.stringContaining('Unrecognized field "nickname"') }],
    ['a field of another type', { firstName: ['A'] }, { error: 'unknown_error', error_description: 'Cannot parse the JSON' }],
  ])('refuses %s', async (_case, special, data) => {
    expect(await refusal(admin.users.create({ ...newcomer(), ...special } as object))).toEqual({ status: 400, data });
  });

  test('lists the faults in errors when there are several', async () => {
    const { status, data } = await refusal(admin.users.create({ ...newcomer(), firstName: 'a(', lastName: 'b;' }));
    const fault = (field: string) => ({ field, errorMessage: 'error-person-name-invalid-character', params: [field] });
    expect({ status, data }).toEqual({ status: 400, data: { errors: [fault('lastName'), fault('firstName')] } });
  });

  test('refuses broken JSON and other types of content', async () => {
    const broken = await raw('/users', { method: 'POST', body: '{"email":' });
    expect([broken.status, await broken.json()]).toEqual([400, { error: 'invalid_request', error_description: 'Cannot parse the JSON' }]);
    const text = await raw('/users', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } });
    expect(text.status).toBe(415);
  });
});

describe('changing and deleting', () => {
  test('changes what is named, keeps the rest, and lets the username follow the e-mail', async () => {
    const { id } = await admin.users.create({ ...newcomer(), requiredActions: ['VERIFY_EMAIL'] });
    const email = newcomer().email;
    await admin.users.update(
      { id },
      { email, firstName: 'Novo', requiredActions: [], credentials: [{ type: 'password', value: 'changed' }] },
    );
    expect(await admin.users.findOne({ id })).toMatchObject({
      username: email,
      email,
      firstName: 'Novo',
      lastName: 'Pessoa',
      requiredActions: [],
    });
    expect((await passwordGrant(idp, email, 'changed')).status).toBe(200);
  });

  test('refuses a change to somebody else’s e-mail and to data that break the rules', async () => {
    const { id } = await admin.users.create(newcomer());
    expect((await refusal(admin.users.update({ id }, { email: bob.email }))).status).toBe(409);
    expect((await refusal(admin.users.update({ id }, { lastName: 'B;' }))).data).toMatchObject({ field: 'lastName' });
    expect((await refusal(admin.users.update({ id }, { email: '' }))).data).toEqual({ errorMessage: 'User name is missing' });
  });

  test('forgets who is deleted', async () => {
    const { id } = await admin.users.create(newcomer());
    await admin.users.del({ id });
    expect(await admin.users.findOne({ id })).toBeNull();
    const missing = { status: 404, data: { error: 'User not found' } };
    expect(await refusal(admin.users.del({ id }))).toEqual(missing);
    expect(await refusal(admin.users.update({ id }, { firstName: 'x' }))).toEqual(missing);
  });
});

describe('who may call', () => {
  test('nobody without a good token of this realm', async () => {
    const unauthorized = async (authorization: string) => (await raw('/users', { headers: { authorization } })).status;
    const { sub } = JSON.parse(atob(admin.accessToken?.split('.')[1] ?? '')) as { sub: string };
    expect(await unauthorized('')).toBe(401);
    expect(await unauthorized('Bearer junk')).toBe(401);
    expect(await unauthorized(`Bearer ${await idp.sign({ sub, iss: 'https://elsewhere.example' })}`)).toBe(401);
    expect(await unauthorized(`Bearer ${await idp.sign({ sub }, { expiresIn: -60 })}`)).toBe(401);
    expect(await unauthorized(`Bearer ${await idp.sign({ sub: crypto.randomUUID() })}`)).toBe(401);
    expect(await unauthorized(`Bearer ${await idp.sign({ sub, typ: 'ID' })}`)).toBe(401);
    expect(await unauthorized(`Bearer ${await idp.sign({ sub })}`)).toBe(200);
  });

  test('a person with the roles too, until they are disabled', async () => {
    const boss = {
      email: 'boss@example.com',
      password: 'secret',
      firstName: 'Bo',
      lastName: 'Sá',
      clientRoles: { 'realm-management': ['manage-users'] },
    };
    const own = await startRealm({ users: [boss] });
    const client = new KeycloakAdminClient({ baseUrl: own.url, realmName: own.realm });
    await client.auth({ grantType: 'password', clientId: 'profile-web', username: boss.email, password: boss.password });
    const [me] = await client.users.find();
    await client.users.update({ id: me?.id ?? '' }, { enabled: false });
    const refused = await refusal(client.users.find());
    await own.stop();
    expect([me?.email, refused.status]).toEqual([boss.email, 401]);
  });

  test('view-users to look up, manage-users to create, change, delete and mail', async () => {
    const [without, looker] = [await adminClient(idp, application), await adminClient(idp, { clientId: 'looker', secret: 'the-looker' })];
    const forbidden = { status: 403, data: { error: 'HTTP 403 Forbidden' } };
    expect(await refusal(without.users.find())).toEqual(forbidden);
    expect(await looker.users.find({ email: ana.email, exact: true })).toHaveLength(1);
    expect(await refusal(looker.users.create(newcomer()))).toEqual(forbidden);
    expect(await refusal(looker.users.update({ id: ana.id }, { firstName: 'x' }))).toEqual(forbidden);
    expect(await refusal(looker.users.del({ id: ana.id }))).toEqual(forbidden);
    expect(await refusal(looker.users.executeActionsEmail({ id: ana.id, actions: ['UPDATE_PASSWORD'] }))).toEqual(forbidden);
  });
});

test('answers unknown addresses, methods and realms as Keycloak does', async () => {
  expect((await raw('/groups')).status).toBe(404);
  expect((await raw('/users?max=abc')).status).toBe(404);
  expect((await raw('/users', { method: 'PATCH' })).status).toBe(405);
  const elsewhere = await fetch(`${idp.url}/admin/realms/other/users`, { headers: { authorization: `Bearer ${admin.accessToken}` } });
  expect([elsewhere.status, await elsewhere.json()]).toEqual([404, { error: 'Realm not found.' }]);
  const realm = await fetch(`${idp.url}/realms/other/.well-known/openid-configuration`);
  expect([realm.status, await realm.json()]).toEqual([404, { error: 'Realm does not exist' }]);
});
