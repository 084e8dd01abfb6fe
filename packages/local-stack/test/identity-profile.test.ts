import { describe, expect, test } from 'vitest';
import { checkProfile } from '../src/identity/users/user-profile.ts';

/** The message keys for an e-mail and two names. */
const messages = (profile: { email?: string; firstName?: string; lastName?: string }) =>
  checkProfile({ email: 'ana@example.com', ...profile }).map(({ field, errorMessage }) => `${field}: ${errorMessage}`);

// Every verdict below is one that Keycloak 26.7.4 gave.
describe('e-mails', () => {
  test.each([
    'x+tag@example.com',
    "o'brien@example.com",
    'a&b@example.com',
    'a/b@example.com',
    'a#b@example.com',
    'a%b@example.com',
    '"q q"@example.com',
    'a@b',
    'x@münchen.de',
    'x@127.0.0.1',
    'x@[127.0.0.1]',
    `${'a'.repeat(64)}@example.com`,
    `x@${'d'.repeat(63)}.com`,
  ])('%s is accepted', (email) => {
    expect(messages({ email })).toEqual([]);
  });

  test.each([
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
    'sp@example.com ',
    'x@exa_mple.com',
    'x@-ex.com',
    'x@example..com',
    'x@.example.com',
    'x@example.com.',
    `${'a'.repeat(65)}@example.com`,
    `x@${'d'.repeat(64)}.com`,
  ])('%s is refused', (email) => {
    expect(messages({ email })).toEqual(['email: error-invalid-email']);
  });

  test('beyond ASCII before the @ has a message of its own, too short or too long is told of username and e-mail', () => {
    expect(messages({ email: 'ção@example.com' })).toEqual(['email: error-non-ascii-local-part-email']);
    expect(messages({ email: 'a@' })).toEqual(['username: error-invalid-length', 'email: error-invalid-email']);
    expect(messages({ email: `x@${'abcdefgh.'.repeat(30)}com` })).toEqual([
      'username: error-invalid-length',
      'email: error-invalid-length-too-long',
      'email: error-invalid-email',
    ]);
  });
});

describe('names', () => {
  test.each(Array.from('(){}[]<>&;/\\"%=?!#$*|^~\t\n\u0001'))('may not have %j', (character) => {
    expect(messages({ firstName: `A${character}b` })).toEqual(['firstName: error-person-name-invalid-character']);
  });

  test.each(Array.from("`'@:,._-+é😀\u00a0 0"))('may have %j', (character) => {
    expect(messages({ firstName: `A${character}b`, lastName: character })).toEqual([]);
  });

  test('may be missing, but not longer than 255', () => {
    expect(messages({ firstName: '', lastName: 'x'.repeat(255) })).toEqual([]);
    expect(messages({ lastName: 'x'.repeat(256) })).toEqual(['lastName: error-invalid-length-too-long']);
  });
});
