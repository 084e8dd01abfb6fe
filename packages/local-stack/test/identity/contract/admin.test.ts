import { expect, test } from 'vitest';
import { ana, bob } from './realm-data.ts';
import { errorOf, newUser, passwordGrant, useAdmin } from './requests.ts';
import { useProvider } from './start-provider.ts';

const idp = useProvider();
const admin = useAdmin(idp);

test('a look-up with exact=true compares whole values without case and without wildcards', async () => {
  const emails = async (email: string) => (await admin.users.find({ email, exact: true })).map((user) => user.email);
  expect(await emails('ANA@example.com')).toEqual([ana.email]);
  for (const other of ['ana', '%na@example.com']) expect(await emails(other)).toEqual([]);
});

test('a new user has the e-mail in lower case as username, and is disabled by default', async () => {
  const { email, enabled: _enabled, ...names } = newUser();
  const requiredActions = ['VERIFY_EMAIL', 'UNKNOWN'];
  const { id } = await admin.users.create({ ...names, email: email.toUpperCase(), username: 'ignored', requiredActions });
  const stored = { username: email, email, enabled: false, emailVerified: false, requiredActions: ['VERIFY_EMAIL'] };
  expect(await admin.users.findOne({ id })).toMatchObject(stored);
});

test('a new user is 409 if a user has the e-mail, in any case and under concurrency', async () => {
  const duplicate = { status: 409, data: { errorMessage: 'User exists with same email' } };
  expect(await errorOf(admin.users.create({ ...newUser(), email: ana.email.toUpperCase() }))).toEqual(duplicate);
  const same = newUser();
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => admin.users.create(same)));
  const rejected = results.filter((result) => result.status === 'rejected');
  expect(rejected).toHaveLength(3);
  for (const { reason } of rejected) expect(await errorOf(Promise.reject(reason as Error))).toMatchObject({ status: 409 });
});

const invalidName = (field: string) => ({ field, errorMessage: 'error-person-name-invalid-character', params: [field] });
const noEmail = { email: undefined, username: 'someone' };
test.each([
  ['an invalid e-mail', { email: 'plain' }, { field: 'email', errorMessage: 'error-invalid-email', params: ['email', 'plain'] }],
  ['no e-mail', noEmail, { field: 'email', errorMessage: 'error-user-attribute-required', params: ['email'] }],
  ['an invalid name', { firstName: 'A(b' }, invalidName('firstName')],
  ['two invalid names', { firstName: 'a(', lastName: 'b;' }, { errors: [invalidName('lastName'), invalidName('firstName')] }],
])('a new user is 400 with %s', async (_case, fields, data) => {
  expect(await errorOf(admin.users.create({ ...newUser(), ...fields } as object))).toEqual({ status: 400, data });
});

test('a change sets the given fields only, and the username to a new e-mail', async () => {
  const { id } = await admin.users.create({ ...newUser(), requiredActions: ['VERIFY_EMAIL'] });
  const { email } = newUser();
  const credentials = [{ type: 'password', value: 'changed' }];
  await admin.users.update({ id }, { email, firstName: 'Novo', requiredActions: [], credentials });
  expect(await admin.users.findOne({ id })).toMatchObject({ username: email, email, firstName: 'Novo', lastName: 'Pessoa' });
  expect((await passwordGrant(idp, email, 'changed')).status).toBe(200);
  expect((await errorOf(admin.users.update({ id }, { email: bob.email }))).status).toBe(409);
  await admin.users.del({ id });
  expect(await admin.users.findOne({ id })).toBeNull();
});

/** Creates a user with this e-mail and these names. Returns the fields that the provider rejects, each with its message. */
async function messages(profile: { email?: string; firstName?: string; lastName?: string }): Promise<string[]> {
  const created = admin.users.create({ ...newUser(), ...profile });
  if (await created.then(Boolean, () => false)) return [];
  interface Violation {
    field: string;
    errorMessage: string;
  }
  const data = (await errorOf(created)).data as Violation & { errors?: Violation[] };
  return (data.errors ?? [data]).map(({ field, errorMessage }) => `${field}: ${errorMessage}`);
}

/** Returns the values with which a user is rejected. */
async function rejectedOf(values: string[], profileOf: (value: string) => Parameters<typeof messages>[0]): Promise<string[]> {
  const found = await Promise.all(values.map(async (value) => ((await messages(profileOf(value))).length > 0 ? [value] : [])));
  return found.flat();
}

test('an e-mail has the syntax that Keycloak accepts', async () => {
  const [longestLocal, longestDomain] = ['a'.repeat(64), 'd'.repeat(63)];
  const valid = ['x+tag@example.com', "o'brien@example.com", '"q q"@example.com', 'a@b', 'x@münchen.de'];
  valid.push(`${longestLocal}@example.com`, `x@${longestDomain}.com`);
  const invalid = ['plain', 'a b@example.com', 'a..b@example.com', 'a.@example.com', '<b>@example.com', 'x@exa_mple.com', 'x@-ex.com'];
  invalid.push(`a${longestLocal}@example.com`, `x@d${longestDomain}.com`);
  expect(await rejectedOf([...valid, ...invalid], (email) => ({ email }))).toEqual(invalid);
});

test.each([
  ['plain', ['email: error-invalid-email']],
  ['ção@example.com', ['email: error-non-ascii-local-part-email']],
  ['a@', ['username: error-invalid-length', 'email: error-invalid-email']],
  [
    `x@${'abcdefgh.'.repeat(30)}com`,
    ['username: error-invalid-length', 'email: error-invalid-length-too-long', 'email: error-invalid-email'],
  ],
])('the e-mail %s is rejected with its messages', async (email, expected) => {
  expect(await messages({ email })).toEqual(expected);
});

test('a name must not contain some special characters, may be missing, and has at most 255 characters', async () => {
  const forbidden = Array.from('(){}[]<>&;/\\"%=?!#$*|^~\t\n\u0001');
  const allowed = Array.from("`'@:,._-+é😀\u00a0 0");
  expect(await rejectedOf([...forbidden, ...allowed], (text) => ({ firstName: `A${text}b`, lastName: text }))).toEqual(forbidden);
  expect(await messages({ firstName: '', lastName: 'x'.repeat(255) })).toEqual([]);
  expect(await messages({ lastName: 'x'.repeat(256) })).toEqual(['lastName: error-invalid-length-too-long']);
});
