import { NetworkError } from '@keycloak/keycloak-admin-client';
import { ProblemError } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { explainRejection } from '../../src/identity-provider/rejection.ts';

/** Explains a response of Keycloak with this body. */
const explain = (responseData: unknown, status = 400) =>
  explainRejection(new NetworkError('rejected', { response: new Response(null, { status }), responseData }));
const errorsOf = (responseData: unknown) => {
  const problem = explain(responseData);
  return problem instanceof ProblemError ? problem.errors : undefined;
};

const characters = 'control characters or any of < > & " $ % ! # ? § ; * ~ / \\ | ^ = [ ] { } ( )';
// Rules: IDENTITY-3
test.each<[field: string, error: string | undefined, limits: unknown[], path: string, message: string]>([
  ['firstName', 'error-person-name-invalid-character', [], 'name', `first name: it must not contain ${characters}`],
  ['lastName', 'error-invalid-length-too-long', [null, 255], 'name', 'last name: it must have at most 255 characters'],
  ['lastName', 'error-invalid-length-too-short', [2, null], 'name', 'last name: it must have at least 2 characters'],
  ['username', 'error-invalid-length', [3, 255], 'email', 'e-mail address as user name: it must have 3 to 255 characters'],
  ['email', 'error-invalid-email', [], 'email', 'e-mail address: it is not a valid e-mail address'],
  ['email', 'error-non-ascii-local-part-email', [], 'email', 'e-mail address: the part before the @ must contain only ASCII characters'],
  ['email', 'error-pattern-no-match', ['.*@example'], 'email', 'e-mail address: it must match the pattern .*@example'],
  ['email', 'Use your own address', [], 'email', 'e-mail address: Use your own address'],
  ['email', undefined, [], 'email', 'e-mail address'],
])('the rejection of %s because of %s names the limit', (field, errorMessage, limits, path, message) => {
  const rejection = { field, errorMessage, params: [field, ...limits] };
  expect(errorsOf(rejection)).toEqual([{ path, message: `The identity provider rejects the ${message}` }]);
});

test('several rejections name each field of the request once', () => {
  const errors = ['lastName', 'firstName', 'email'].map((field) => ({ field, errorMessage: 'error-invalid-value' }));
  expect(errorsOf({ errors })?.map(({ path }) => path)).toEqual(['name', 'email']);
});

// Rules: IDENTITY-4
test('a rejected attribute that the request does not contain is no error of the caller', () => {
  const department = { field: 'department', errorMessage: 'error-user-attribute-required', params: ['department'] };
  const name = { field: 'firstName', errorMessage: 'error-invalid-length', params: ['firstName', 2, 5] };
  for (const body of [department, { errors: [name, department] }]) {
    const error = explain(body);
    expect(error).not.toBeInstanceOf(ProblemError);
    expect(error?.message).toContain('department (error-user-attribute-required). Correct the user profile of the realm');
  }
});

test('another status and a response without a field or without content are not explained', () => {
  expect(explain({ field: 'email', errorMessage: 'error-invalid-email' }, 409)).toBeUndefined();
  for (const body of [{ errorMessage: 'User name is missing' }, '']) expect(explain(body)).toBeUndefined();
});
