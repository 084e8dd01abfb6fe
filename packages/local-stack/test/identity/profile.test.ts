import { describe, expect, test } from 'vitest';
import { checkProfile } from '../../src/identity/users/user-profile.ts';

/** Returns the message keys for an e-mail and two names. */
const messages = (profile: { email?: string; firstName?: string; lastName?: string }) =>
  checkProfile({ email: 'ana@example.com', ...profile }).map(({ field, errorMessage }) => `${field}: ${errorMessage}`);

// Keycloak 26.7.4 gave each of these results.
describe('an e-mail', () => {
  const valid = [
    'x+tag@example.com',
    "o'brien@example.com",
    'a&b@example.com',
    'a/b@example.com',
    '"q q"@example.com',
    'a@b',
    'x@münchen.de',
    'x@127.0.0.1',
    'x@[127.0.0.1]',
    `${'a'.repeat(64)}@example.com`,
    `x@${'d'.repeat(63)}.com`,
  ];
  const invalid = [
    'plain',
    '@b.com',
    'a b@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    'a@b@c.com',
    'x\ty@example.com',
    '<b>@example.com',
    ' sp@example.com',
    'x@exa_mple.com',
    'x@-ex.com',
    'x@example..com',
    'x@example.com.',
    `${'a'.repeat(65)}@example.com`,
    `x@${'d'.repeat(64)}.com`,
  ];

  test('is accepted if it is valid', () => {
    expect(valid.filter((email) => messages({ email }).length > 0)).toEqual([]);
  });

  test('is refused if it is invalid', () => {
    expect(invalid.filter((email) => messages({ email }).join() !== 'email: error-invalid-email')).toEqual([]);
  });

  test('has a message of its own for a local part beyond ASCII, and messages for its length as username', () => {
    expect(messages({ email: 'ção@example.com' })).toEqual(['email: error-non-ascii-local-part-email']);
    expect(messages({ email: 'a@' })).toEqual(['username: error-invalid-length', 'email: error-invalid-email']);
    expect(messages({ email: `x@${'abcdefgh.'.repeat(30)}com` })).toEqual([
      'username: error-invalid-length',
      'email: error-invalid-length-too-long',
      'email: error-invalid-email',
    ]);
  });
});

describe('a name', () => {
  test('refuses some special characters', () => {
    const refused = Array.from('(){}[]<>&;/\\"%=?!#$*|^~\t\n\u0001');
    expect(refused.filter((character) => messages({ firstName: `A${character}b` }).length === 0)).toEqual([]);
    expect(messages({ firstName: 'A(b' })).toEqual(['firstName: error-person-name-invalid-character']);
  });

  test('accepts other characters', () => {
    const accepted = Array.from("`'@:,._-+é😀\u00a0 0");
    expect(accepted.filter((character) => messages({ firstName: `A${character}b`, lastName: character }).length > 0)).toEqual([]);
  });

  test('may be missing, and has at most 255 characters', () => {
    expect(messages({ firstName: '', lastName: 'x'.repeat(255) })).toEqual([]);
    expect(messages({ lastName: 'x'.repeat(256) })).toEqual(['lastName: error-invalid-length-too-long']);
  });
});
