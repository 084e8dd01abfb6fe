import { NetworkError } from '@keycloak/keycloak-admin-client';
import { ProblemError } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { explainRejection } from '../../src/identity-provider/rejection.ts';

/** Explains a 400 response of Keycloak with this body. */
const explain = (responseData: unknown, status = 400) =>
  explainRejection(new NetworkError('rejected', { response: new Response(null, { status }), responseData }));
const errorsOf = (responseData: unknown) => {
  const problem = explain(responseData);
  return problem instanceof ProblemError ? problem.errors : undefined;
};

// Rules: IDENTITY-3
test.each([
  [
    { field: 'firstName', errorMessage: 'error-person-name-invalid-character', params: ['firstName'] },
    'name',
    'rejects the first name: it must not contain control characters or any of < > & " $ % ! # ? § ; * ~ / \\ | ^ = [ ] { } ( )',
  ],
  [
    { field: 'lastName', errorMessage: 'error-invalid-length-too-long', params: ['lastName', null, 255] },
    'name',
    'rejects the last name: it must have at most 255 characters',
  ],
  [
    { field: 'lastName', errorMessage: 'error-invalid-length-too-short', params: ['lastName', 2, null] },
    'name',
    'rejects the last name: it must have at least 2 characters',
  ],
  [
    { field: 'username', errorMessage: 'error-invalid-length', params: ['username', 3, 255] },
    'email',
    'rejects the e-mail address as user name: it must have 3 to 255 characters',
  ],
  [{ field: 'email', errorMessage: 'error-invalid-email' }, 'email', 'rejects the e-mail address: it is not a valid e-mail address'],
  [
    { field: 'email', errorMessage: 'error-non-ascii-local-part-email', params: ['email'] },
    'email',
    'rejects the e-mail address: the part before the @ must contain only ASCII characters',
  ],
  [
    { field: 'email', errorMessage: 'error-pattern-no-match', params: ['email', '.*@example\\.com'] },
    'email',
    'rejects the e-mail address: it must match the pattern .*@example\\.com',
  ],
  [{ field: 'email', errorMessage: 'Use your own address' }, 'email', 'rejects the e-mail address: Use your own address'],
  [{ field: 'email' }, 'email', 'rejects the e-mail address'],
])('the rejection %j names the limit', (rejection, path, text) => {
  expect(errorsOf(rejection)).toEqual([{ path, message: `The identity provider ${text}` }]);
});

test('several rejections name each field of the request once', () => {
  const errors = ['lastName', 'firstName', 'email'].map((field) => ({ field, errorMessage: 'error-invalid-value' }));
  expect(errorsOf({ errors })?.map(({ path }) => path)).toEqual(['name', 'email']);
});

// Rules: IDENTITY-4
test('a rejected attribute that the request does not contain is no error of the caller', () => {
  const department = { field: 'department', errorMessage: 'error-user-attribute-required', params: ['department'] };
  const name = { field: 'firstName', errorMessage: 'error-invalid-length', params: ['firstName', 2, 5] };
  const message =
    'The identity provider rejects attributes that this service does not send: department (error-user-attribute-required). Correct the user profile of the realm';
  for (const body of [department, { errors: [name, department] }]) {
    const error = explain(body);
    expect(error).not.toBeInstanceOf(ProblemError);
    expect(error?.message).toBe(message);
  }
});

test.each([
  ['another status', { field: 'email', errorMessage: 'error-invalid-email' }, 409],
  ['a response without a field', { errorMessage: 'User name is missing' }, 400],
  ['a response without content', '', 400],
])('%s is not explained', (_case, body, status) => {
  expect(explain(body, status)).toBeUndefined();
});
