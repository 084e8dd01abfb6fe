import { expect, test } from 'vitest';
import { callToRefuse } from './calls.ts';
import { examples, type Input } from '@profile-service/contracts/examples';
import { useFixture } from './fixture.ts';
import { rest } from './send.ts';

const fixture = useFixture();

/** The input with another value in this field, which may be inside another field. */
function withValue(input: Input, [field = '', ...inner]: string[], value: unknown): Input {
  if (inner.length === 0) return Object.assign(Array.isArray(input) ? [...input] : { ...input }, { [field]: value }) as Input;
  return withValue(input, [field], withValue((input[field] ?? {}) as Input, inner, value));
}

const cases = examples.flatMap(({ name, endpoint, example: { invalid = {} } }) => {
  const ids = Object.keys(endpoint.params).filter((param) => /id$/i.test(param) && !invalid[param]);
  const fields = { ...Object.fromEntries(ids.map((param) => [param, ['7']])), ...invalid };
  return Object.keys(fields).length > 0 ? [{ name, endpoint, fields }] : [];
});

// Rules: ADDRESSES-8, ADDRESSES-9, CITIES-1, CITIES-2, CONTACTS-2, CUSTOMERS-3, ERRORS-5, LIMITS-1, MEMBERS-2, MEMBERSCOPES-6
// Rules: ORGANIZATIONS-2, STATES-1, USERS-3, USERS-7, USERS-26
test.each(cases)('$name rejects invalid values with 400 and names the field', async ({ name, endpoint, fields }) => {
  const valid = await callToRefuse(fixture, name, endpoint);
  const [expected, actual]: unknown[][] = [[], []];
  for (const [field, values] of Object.entries(fields)) {
    for (const value of values) {
      const base = field.startsWith('contacts.') ? { ...valid.input, contacts: [{ type: 'PHONE', value: '1' }] } : valid.input;
      const input = withValue(base, field.split('.'), value);
      const { status, problem } = await rest({ ...valid, input }, name, endpoint);
      expected!.push({ field, value, status: 400, code: 'VALIDATION_FAILED', path: field });
      actual!.push({ field, value, status, code: problem?.code, path: problem?.errors?.[0]?.path });
    }
  }
  expect(actual).toEqual(expected);
});
