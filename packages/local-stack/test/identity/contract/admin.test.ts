import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { ana, bob } from './realm-data.ts';
import { adminClient, errorOf, newUser, passwordGrant } from './requests.ts';
import { useProvider } from './start-provider.ts';

const idp = useProvider();
let admin: KeycloakAdminClient;

beforeAll(async () => {
  admin = await adminClient(idp);
});

describe('looking up users', () => {
  type UserQuery = NonNullable<Parameters<KeycloakAdminClient['users']['find']>[0]>;
  const emails = async (query: UserQuery) => (await admin.users.find(query)).map(({ email }) => email);

  test('compares whole values without case and without wildcards if exact=true', async () => {
    expect(await emails({ email: 'ANA@example.com', exact: true })).toEqual([ana.email]);
    expect(await emails({ username: 'Bob@Example.com', exact: true })).toEqual([bob.email]);
    expect(await emails({ email: 'ana', exact: true })).toEqual([]);
    expect(await emails({ email: '%na@example.com', exact: true })).toEqual([]);
  });
});

describe('creating a user', () => {
  test('uses the e-mail in lower case as username, and disables the user by default', async () => {
    const { email, enabled: _enabled, ...names } = newUser();
    const requiredActions = ['VERIFY_EMAIL', 'UNKNOWN'];
    const { id } = await admin.users.create({ ...names, email: email.toUpperCase(), username: 'ignored', requiredActions });
    expect(await admin.users.findOne({ id })).toMatchObject({
      username: email,
      email,
      enabled: false,
      emailVerified: false,
      requiredActions: ['VERIFY_EMAIL'],
    });
  });

  test('responds with 409 if a user has the e-mail, in any case and under concurrency', async () => {
    const duplicate = { status: 409, data: { errorMessage: 'User exists with same email' } };
    expect(await errorOf(admin.users.create({ ...newUser(), email: ana.email.toUpperCase() }))).toEqual(duplicate);
    const same = newUser();
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => admin.users.create(same)));
    const rejected = results.filter((result) => result.status === 'rejected');
    expect(rejected).toHaveLength(3);
    for (const { reason } of rejected) expect(await errorOf(Promise.reject(reason as Error))).toMatchObject({ status: 409 });
  });

  const invalidName = (field: string) => ({ field, errorMessage: 'error-person-name-invalid-character', params: [field] });
  test.each([
    ['an invalid e-mail', { email: 'plain' }, { field: 'email', errorMessage: 'error-invalid-email', params: ['email', 'plain'] }],
    [
      'no e-mail',
      { email: undefined, username: 'someone' },
      { field: 'email', errorMessage: 'error-user-attribute-required', params: ['email'] },
    ],
    ['an invalid name', { firstName: 'A(b' }, invalidName('firstName')],
    ['two invalid names', { firstName: 'a(', lastName: 'b;' }, { errors: [invalidName('lastName'), invalidName('firstName')] }],
    ['an unknown field', { nickname: 'x' }, { error: expect.stringContaining('Unrecognized field "nickname"') }],
    ['a field of another type', { firstName: ['A'] }, { error: 'unknown_error', error_description: 'Cannot parse the JSON' }],
  ])('responds with 400 to %s', async (_case, fields, data) => {
    expect(await errorOf(admin.users.create({ ...newUser(), ...fields } as object))).toEqual({ status: 400, data });
  });
});

describe('changing and deleting a user', () => {
  test('changes the given fields only, and sets the username to a new e-mail', async () => {
    const { id } = await admin.users.create({ ...newUser(), requiredActions: ['VERIFY_EMAIL'] });
    const { email } = newUser();
    const credentials = [{ type: 'password', value: 'changed' }];
    await admin.users.update({ id }, { email, firstName: 'Novo', requiredActions: [], credentials });
    expect(await admin.users.findOne({ id })).toMatchObject({ username: email, email, firstName: 'Novo', lastName: 'Pessoa' });
    expect((await passwordGrant(idp, email, 'changed')).status).toBe(200);
  });

  test('responds with 409 to the e-mail of another user and with 400 to invalid data', async () => {
    const { id } = await admin.users.create(newUser());
    expect((await errorOf(admin.users.update({ id }, { email: bob.email }))).status).toBe(409);
    expect((await errorOf(admin.users.update({ id }, { lastName: 'B;' }))).status).toBe(400);
  });

  test('responds with 404 after the user is deleted', async () => {
    const { id } = await admin.users.create(newUser());
    await admin.users.del({ id });
    expect(await admin.users.findOne({ id })).toBeNull();
    expect(await errorOf(admin.users.del({ id }))).toEqual({ status: 404, data: { error: 'User not found' } });
  });
});
