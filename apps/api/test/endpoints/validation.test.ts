import { endpoints } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { rest } from './send.ts';
import { examples, type Input, nestedLengths } from '@profile-service/contracts/examples';
import { useFixture } from './fixture.ts';
import { callToRefuse, validCall } from './calls.ts';

/** Invalid values, and the length limits of texts. A test of the contracts checks that every text has a limit. */
const fixture = useFixture();

const call = async (name: string, change: (input: Input) => Input = (input) => input) => {
  const endpoint = endpoints.find((named) => named.name === name)?.endpoint;
  if (!endpoint) throw new Error(`There is no endpoint ${name}`);
  const valid = await validCall(fixture, name, endpoint);
  return { endpoint, ...(await rest({ ...valid, input: change(valid.input) }, name, endpoint)) };
};
const refusal = (path: string) => ({ status: 400, problem: { code: 'VALIDATION_FAILED', errors: [{ path }] } });

const limited = examples.flatMap(({ name, example: { lengths = {} } }) =>
  Object.entries(lengths).map(([field, most]) => ({ name, field, most })),
);

describe('a text', () => {
  // Rules: LIMITS-2
  test.each(limited)('of $name has at most $most characters: $field', async ({ name, field, most }) => {
    // Some texts are unique.
    const text = fixture.world.newTaxId().padEnd(most, 'ç');
    const { endpoint, status, data } = await call(name, (input) => ({ ...input, [field]: text }));
    expect(status).toBe(endpoint.success);
    // Not every response has the field.
    expect({ [field]: text, ...(data as object) }).toMatchObject({ [field]: text });
    expect(await call(name, (input) => ({ ...input, [field]: `${text}x` }))).toMatchObject(refusal(field));
  });

  test.each(['organizations.create', 'service.organizations.create'] as const)(
    'in the address and the contacts of %s has the same limit',
    async (name) => {
      const texts = (fields: object, more = '') =>
        Object.fromEntries(Object.entries(fields).map(([field, most]: [string, number]) => [field, 'ç'.repeat(most) + more]));
      const nested = (more = '') => {
        const contacts = [{ type: 'PHONE', ...texts(nestedLengths.contact, more) }];
        return call(name, (input) => ({
          ...input,
          address: { ...(input['address'] as object), ...texts(nestedLengths.address, more) },
          contacts,
        }));
      };
      expect((await nested()).status).toBe(201);
      const { problem } = await nested('x');
      const paths = Object.keys(nestedLengths.address).map((field) => `address.${field}`);
      expect(problem?.errors?.map(({ path }) => path)).toEqual([...paths, 'contacts.0.value', 'contacts.0.description']);
    },
  );
});

describe('metadata', () => {
  const most = 64 * 1024;
  const withMetadata = ['tenants.create', 'tenants.update', 'organizations.create', 'organizations.update', 'service.organizations.create'];
  const storedBytes = async () => {
    const [stored] = await fixture.world.sql<{ bytes: number }>(
      'select octet_length(metadata::text) as bytes from organizations order by id desc limit 1',
    );
    return stored?.bytes;
  };

  // Rules: INPUT-10
  test.each(withMetadata)('of %s has at most 64 KiB of JSON, and no integer from 2^53', async (name) => {
    const of = (metadata: object) => call(name, (input) => ({ ...input, metadata }));
    const long = { text: 'x'.repeat(most - '{"text":""}'.length) };
    const exact = { list: [0, 2 ** 53 - 1] };
    expect(await of(long)).toMatchObject({ data: { metadata: long } });
    expect(await of({ text: `${long.text}x` })).toMatchObject(refusal('metadata'));
    expect(await of(exact)).toMatchObject({ data: { metadata: exact } });
    expect(await of({ list: [0, 2 ** 53] })).toMatchObject(refusal('metadata.list.1'));
  });

  test('is measured as PostgreSQL writes it: 1e300 has 301 digits', async () => {
    const numbers = (count: number) => ({ list: Array.from({ length: count }, () => 1e300) });
    expect((await call('organizations.create', (input) => ({ ...input, metadata: numbers(200) }))).status).toBe(201);
    expect(await storedBytes()).toBeGreaterThan(200 * 300);
    expect(await call('organizations.create', (input) => ({ ...input, metadata: numbers(220) }))).toMatchObject(refusal('metadata'));
  });
});

/** The input with another value in this field, which may be inside another field. */
function withValue(input: Input, [field = '', ...inner]: string[], value: unknown): Input {
  if (inner.length === 0) return Object.assign(Array.isArray(input) ? [...input] : { ...input }, { [field]: value }) as Input;
  return withValue(input, [field], withValue((input[field] ?? (inner[0] === '0' ? [] : {})) as Input, inner, value));
}

const invalidFields = examples.flatMap(({ name, endpoint, example: { invalid = {} } }) => {
  const ids = Object.keys(endpoint.params).filter((param) => /id$/i.test(param) && !invalid[param]);
  const fields = { ...Object.fromEntries(ids.map((param) => [param, ['7']])), ...invalid };
  return Object.keys(fields).length > 0 ? [{ name, endpoint, fields }] : [];
});

// Rules: ADDRESSES-8, ADDRESSES-9, CITIES-1, CITIES-2, CONTACTS-2, CUSTOMERS-3, ERRORS-5, LIMITS-1, MEMBERS-2, MEMBERSCOPES-6
// Rules: ORGANIZATIONS-2, STATES-1, USERS-3, USERS-7, USERS-26
test.each(invalidFields)('$name rejects invalid values with 400 and names the field', async ({ name, endpoint, fields }) => {
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
