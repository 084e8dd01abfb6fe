import { describe, expect, test } from 'vitest';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';
import { asGlobal, expectProblem } from './request.ts';

const world = useWorld();
const tenant = useTenant(world);

const ask = asGlobal(world);
/** The fields that the response rejects. */
const rejectedBy = async (target: string) => expectProblem(await ask(target), 'VALIDATION_FAILED').errors?.map(({ path }) => path);

describe('a query parameter', () => {
  test('is reported together with all other invalid parameters', async () => {
    const rejected = await rejectedBy('GET /api/users?limit=101&page=0&type=King&customerId=1');
    expect(rejected?.toSorted()).toEqual(['customerId', 'limit', 'page', 'type']);
  });

  // Rules: INPUT-8
  test.each(['page=1&page=1', 'page=1&page=', 'p%61ge=1&page=2'])('is rejected if it is repeated: %s', async (query) => {
    expect(await rejectedBy(`GET /api/users?${query}`)).toEqual(['page']);
  });

  test.each(['1e1', '0x1', '1.5', '+1', '1_0', '1.0000000000000000001', '%EF%BC%91', '1%20'])(
    'is rejected if it is not written as an integer: page=%s',
    async (page) => {
      expect(await rejectedBy(`GET /api/users?page=${page}`)).toEqual(['page']);
    },
  );

  // Rules: INPUT-9
  test.each(['unknown=1', 'unknown=1&unknown=2', '__proto__=1', 'page[]=3', 'constructor=x', '&&&=&', '%zz=%zz', '?', '#page=0'])(
    'is ignored if it is unknown: %s',
    async (query) => {
      expect((await ask(`GET /api/users?${query}`)).status).toBe(200);
    },
  );
});

describe('an id in the path', () => {
  // Rules: ERRORS-5
  test.each(['42', '%00', 'a'.repeat(12_000), '01936f2a7c1e7b449d5e0a1b2c3d4e5f', '%C3%A9', '..%2f..'])(
    'is rejected if it is not a uuid: %s',
    async (id) => {
      expect(await rejectedBy(`GET /api/customers/${id}`)).toEqual(['id']);
    },
  );

  // Rules: INPUT-6
  test('may be in upper case, and takes precedence over an id in the body', async () => {
    const { customerId } = tenant;
    expect(JSON.parse((await ask(`GET /api/customers/${customerId.toUpperCase()}`)).text)).toMatchObject({ id: customerId });
    const other = await world.create<{ id: string }>('POST /api/customers', { federalTaxId: world.newTaxId(), name: 'Other' });
    const { status, body } = await world.call(world.global, `PUT /api/customers/${customerId}`, { id: other.id, alias: 'C' });
    expect([status, body['id'], body['alias']]).toEqual([200, customerId, 'C']);
    expect((await world.call(world.global, `PUT /api/customers/${customerId}`, { id: 42 })).status).toBe(200);
  });

  test('is reported together with another invalid id', async () => {
    expect(await rejectedBy('DELETE /api/users/1/tenants/2')).toEqual(['userId', 'tenantId']);
  });
});
