import { beforeAll, describe, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { expectProblem, send } from './request.ts';

const world = useWorld();
let customerId: string;
beforeAll(async () => {
  ({ customerId } = await world.tenant());
});

const ask = (target: string) => send(world.service.url, target, { headers: { authorization: `Bearer ${world.global.token}` } });
const pathsOf = (errors: { path: string }[] | undefined) => errors?.map(({ path }) => path);

describe('a query parameter', () => {
  test('is reported together with all other invalid parameters', async () => {
    const { errors } = expectProblem(await ask('GET /api/users?limit=101&page=0&type=King&customerId=1'), 'VALIDATION_FAILED');
    expect(pathsOf(errors)?.toSorted()).toEqual(['customerId', 'limit', 'page', 'type']);
  });

  // Rules: INPUT-8
  test.each(['page=1&page=1', 'page=1&page=', 'name=a&name=b', 'p%61ge=1&page=2'])('is rejected if it is repeated: %s', async (query) => {
    const { errors } = expectProblem(await ask(`GET /api/users?${query}`), 'VALIDATION_FAILED');
    expect(errors).toHaveLength(1);
  });

  test.each(['1e1', '0x1', '1.5', '+1', '1_0', '1.0000000000000000001', '%EF%BC%91', '1%20'])(
    'is rejected if it is not written as an integer: page=%s',
    async (page) => {
      const { errors } = expectProblem(await ask(`GET /api/users?page=${page}`), 'VALIDATION_FAILED');
      expect(pathsOf(errors)).toEqual(['page']);
    },
  );

  // Rules: INPUT-7
  test('is absent if it is empty', async () => {
    const all = await ask('GET /api/users');
    const empty = await ask('GET /api/users?page=&limit=&name=&email=&type=&customerId=');
    expect(JSON.parse(empty.text)).toEqual(JSON.parse(all.text));
  });

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
  test.each([
    '42',
    'null',
    '%00',
    'a'.repeat(12_000),
    '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5',
    '01936f2a7c1e7b449d5e0a1b2c3d4e5f',
    '%7B%7D',
    'é',
    '..%2f..',
    '%ED%A0%80x',
  ])('is rejected if it is not a uuid: %s', async (id) => {
    const answer = await ask(`GET /api/customers/${encodeURI(decodeURI(id.replaceAll('%', '%25')))}`);
    const { errors } = expectProblem(answer, 'VALIDATION_FAILED');
    expect(pathsOf(errors)).toEqual(['id']);
  });

  test('is accepted in upper case', async () => {
    const answer = await ask(`GET /api/customers/${customerId.toUpperCase()}`);
    expect(JSON.parse(answer.text)).toMatchObject({ id: customerId });
  });

  // Rules: INPUT-6
  test('takes precedence over an id in the body', async () => {
    const other = await world.create<{ id: string }>('POST /api/customers', { federalTaxId: world.newTaxId(), name: 'Other' });
    const { status, body } = await world.call(world.global, `PUT /api/customers/${customerId}`, { id: other.id, alias: 'C' });
    expect([status, body['id'], body['alias']]).toEqual([200, customerId, 'C']);
    expect((await world.call(world.global, `PUT /api/customers/${customerId}`, { id: 42 })).status).toBe(200);
  });

  test('is reported together with another invalid id', async () => {
    const { errors } = expectProblem(await ask('DELETE /api/users/1/tenants/2'), 'VALIDATION_FAILED');
    expect(pathsOf(errors)).toEqual(['userId', 'tenantId']);
  });
});
