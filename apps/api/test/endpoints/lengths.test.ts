import { endpoints } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { rest } from './send.ts';
import { examples, type Input, nestedLengths } from '@profile-service/contracts/examples';
import { useFixture } from './fixture.ts';
import { validCall } from './calls.ts';

/** The length limits of texts. A test of the contracts checks that every text has one. */
const fixture = useFixture();

const call = async (name: string, change: (input: Input) => Input = (input) => input) => {
  const endpoint = endpoints.find((named) => named.name === name)?.endpoint;
  if (!endpoint) throw new Error(`There is no endpoint ${name}`);
  const valid = await validCall(fixture, name, endpoint);
  return { endpoint, ...(await rest({ ...valid, input: change(valid.input) }, name, endpoint)) };
};
const refusal = (path: string) => ({ status: 400, problem: { code: 'VALIDATION_FAILED', errors: [{ path }] } });

const cases = examples.flatMap(({ name, example: { lengths = {} } }) =>
  Object.entries(lengths).map(([field, most]) => ({ name, field, most })),
);

describe('a text', () => {
  // Rules: LIMITS-2
  test.each(cases)('of $name has at most $most characters: $field', async ({ name, field, most }) => {
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
  const storedBytes = async () => {
    const [stored] = await fixture.world.sql<{ bytes: number }>(
      'select octet_length(metadata::text) as bytes from organizations order by id desc limit 1',
    );
    return stored?.bytes;
  };

  test.each(['tenants.create', 'tenants.update', 'organizations.create', 'organizations.update', 'service.organizations.create'] as const)(
    'of %s has at most 64 KiB of JSON',
    async (name) => {
      const long = { text: 'x'.repeat(most - '{"text":""}'.length) };
      const { endpoint, status, data } = await call(name, (input) => ({ ...input, metadata: long }));
      expect(status).toBe(endpoint.success);
      expect(data).toMatchObject({ metadata: long });
      const longer = { ...long, text: `${long.text}x` };
      expect(await call(name, (input) => ({ ...input, metadata: longer }))).toMatchObject(refusal('metadata'));
    },
  );

  // Rules: INPUT-10
  test.each(['tenants.create', 'tenants.update', 'organizations.create', 'organizations.update', 'service.organizations.create'] as const)(
    'of %s has no integer from 2^53',
    async (name) => {
      const of = (number: number) => call(name, (input) => ({ ...input, metadata: { list: [0, number] } }));
      expect(await of(2 ** 53)).toMatchObject(refusal('metadata.list.1'));
      expect(await of(2 ** 53 - 1)).toMatchObject({ data: { metadata: { list: [0, 2 ** 53 - 1] } } });
    },
  );

  test('is measured as PostgreSQL writes it: 1e300 has 301 digits', async () => {
    const numbers = (count: number) => ({ list: Array.from({ length: count }, () => 1e300) });
    expect((await call('organizations.create', (input) => ({ ...input, metadata: numbers(200) }))).status).toBe(201);
    expect(await storedBytes()).toBeGreaterThan(200 * 300);
    expect(await call('organizations.create', (input) => ({ ...input, metadata: numbers(220) }))).toMatchObject(refusal('metadata'));
  });
});
