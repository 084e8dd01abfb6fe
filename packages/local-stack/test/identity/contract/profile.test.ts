import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { adminClient, newUser, violationsOf } from './requests.ts';
import { useProvider } from './start-provider.ts';

const idp = useProvider();
let admin: KeycloakAdminClient;

beforeAll(async () => {
  admin = await adminClient(idp);
});

/** Creates a user with this e-mail and these names. Returns the fields that the provider rejects, each with its message. */
const messages = async (profile: { email?: string; firstName?: string; lastName?: string }): Promise<string[]> => {
  const violations = await violationsOf(admin.users.create({ ...newUser(), ...profile }));
  return violations.map(({ field, errorMessage }) => `${field}: ${errorMessage}`);
};

describe('an e-mail', () => {
  const valid = [
    'x+tag@example.com',
    "o'brien@example.com",
    '"q q"@example.com',
    'a@b',
    'x@münchen.de',
    `${'a'.repeat(64)}@example.com`,
    `x@${'d'.repeat(63)}.com`,
  ];
  const invalid = [
    'plain',
    'a b@example.com',
    'a..b@example.com',
    'a.@example.com',
    '<b>@example.com',
    'x@exa_mple.com',
    'x@-ex.com',
    `${'a'.repeat(65)}@example.com`,
    `x@${'d'.repeat(64)}.com`,
  ];

  test.each(valid)('%j is accepted', async (email) => {
    expect(await messages({ email })).toEqual([]);
  });

  test.each(invalid)('%j is rejected', async (email) => {
    expect(await messages({ email })).toEqual(['email: error-invalid-email']);
  });

  test('has a message of its own for a local part beyond ASCII, and messages for its length as username', async () => {
    expect(await messages({ email: 'ção@example.com' })).toEqual(['email: error-non-ascii-local-part-email']);
    expect(await messages({ email: 'a@' })).toEqual(['username: error-invalid-length', 'email: error-invalid-email']);
    expect(await messages({ email: `x@${'abcdefgh.'.repeat(30)}com` })).toEqual([
      'username: error-invalid-length',
      'email: error-invalid-length-too-long',
      'email: error-invalid-email',
    ]);
  });
});

describe('a name', () => {
  const character = (text: string) => messages({ firstName: `A${text}b`, lastName: text });

  test('must not contain some special characters', async () => {
    const rejected = Array.from('(){}[]<>&;/\\"%=?!#$*|^~\t\n\u0001');
    const found = await Promise.all(rejected.map(async (text) => ((await character(text)).length > 0 ? [] : [text])));
    expect(found.flat()).toEqual([]);
    expect(await messages({ firstName: 'A(b' })).toEqual(['firstName: error-person-name-invalid-character']);
  });

  test('may contain other characters', async () => {
    const accepted = Array.from("`'@:,._-+é😀\u00a0 0");
    const found = await Promise.all(accepted.map(async (text) => ((await character(text)).length > 0 ? [text] : [])));
    expect(found.flat()).toEqual([]);
  });

  test('may be missing, and has at most 255 characters', async () => {
    expect(await messages({ firstName: '', lastName: 'x'.repeat(255) })).toEqual([]);
    expect(await messages({ lastName: 'x'.repeat(256) })).toEqual(['lastName: error-invalid-length-too-long']);
  });
});
