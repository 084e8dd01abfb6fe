import { expect, test } from 'vitest';
import { errorOf, newUser, useAdmin } from './requests.ts';
import { useProvider } from './start-provider.ts';

const admin = useAdmin(useProvider());

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
