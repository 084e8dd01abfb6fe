import { endpoints, httpMethodsOf } from '@profile-service/contracts';
import { absentId } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';
import { asGlobal, expectProblem, send } from './request.ts';

const world = useWorld();
const tenant = useTenant(world);

const askAsGlobal = asGlobal(world);
const ask = (target: string) => send(world.service.url, target);
/** The fields that the response rejects. */
const rejectedBy = async (target: string) => expectProblem(await askAsGlobal(target), 'VALIDATION_FAILED').errors?.map(({ path }) => path);

describe('an unknown route', () => {
  // Rules: CHECKS-1, ERRORS-1
  test.each([
    'GET /api',
    'GET /api/unknown',
    'POST /api/users/1/2/3',
    'GET /API/users',
    'GET /DOCS',
    'GET /HEALTH/live',
    'GET //api/users',
    'GET /api/users/',
    'GET /api/users//tenants',
    'PATCH /api/users/',
    'GET /service/organizations/federal-tax-id/',
    'GET /trpc',
    'DELETE /docs/unknown',
    'GET /metrics',
    'GET /api/../etc/passwd',
    'GET /docs/..%2f..%2fpackage.json',
    // Express parses a target with a fragment as a URL.
    'GET //a@b#',
    'GET //a@[x#',
    'GET //a@b/health/live#',
  ])('gets 404, also without a token: %s', async (target) => {
    expectProblem(await ask(target), 'ROUTE_NOT_FOUND');
    expectProblem(await askAsGlobal(target), 'ROUTE_NOT_FOUND');
  });

  test.each(['GET /api/users/%', 'GET /api/users/%zz', 'GET /api/users/%E0%A4%A', 'GET /%c0%ae/users', 'GET /docs/%zz', 'GET /errors%zz'])(
    'gets 400 or 404 if it cannot be decoded: %s',
    async (target) => {
      const answer = await askAsGlobal(target);
      expectProblem(answer, answer.status === 400 ? 'VALIDATION_FAILED' : 'ROUTE_NOT_FOUND');
    },
  );
});

describe('another method of a route', () => {
  const byPath = Map.groupBy(endpoints, ({ endpoint }) => endpoint.path);
  // Rules: CHECKS-1, ERRORS-8
  test.each([...byPath].map(([path, ofPath]) => [path, ofPath.flatMap(({ endpoint }) => httpMethodsOf(endpoint) as string[])] as const))(
    'gets 405 with Allow: %s allows %j',
    async (path, methods) => {
      const address = path.replaceAll(/\{\w+\}/g, absentId);
      const others = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'].filter((each) => !methods.includes(each));
      for (const method of others) {
        const answer = await ask(`${method} ${address}`);
        expectProblem(answer, 'METHOD_NOT_ALLOWED');
        expect(answer.headers.allow?.split(', ').toSorted()).toEqual(methods.toSorted());
      }
    },
  );

  test('gets 405 with Allow on a page', async () => {
    const pages = [
      'POST /health/live',
      'DELETE /health/ready',
      'POST /docs',
      'PUT /openapi.json',
      'POST /errors',
      'OPTIONS /docs/scalar.js',
    ];
    for (const target of pages) {
      const answer = await ask(target);
      expectProblem(answer, 'METHOD_NOT_ALLOWED');
      expect([target, answer.headers.allow]).toEqual([target, 'GET, HEAD']);
    }
    // HEAD of a GET that writes.
    const answer = await askAsGlobal('HEAD /service/organizations/federal-tax-id/34567890000130');
    expect(answer.headers.allow).toBe('GET');
    expect(answer).toMatchObject({ status: 405, text: '', headers: { 'content-type': 'application/problem+json' } });
  });
});

test('a request target can be an absolute URL', async () => {
  const answer = await askAsGlobal(`GET ${world.service.url}/api/customers?limit=1`);
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, expect.objectContaining({ currentPage: 1 })]);
});

describe('a query parameter', () => {
  test('is reported together with all other invalid parameters', async () => {
    const rejected = await rejectedBy('GET /api/users?limit=101&page=0&type=King&customerId=1');
    expect(rejected?.toSorted()).toEqual(['customerId', 'limit', 'page', 'type']);
    expect(await rejectedBy('DELETE /api/users/1/tenants/2')).toEqual(['userId', 'tenantId']);
  });

  const noIntegers = ['1e1', '0x1', '1.5', '+1', '1_0', '1.0000000000000000001', '%EF%BC%91', '1%20'].map((text) => `page=${text}`);
  // Rules: INPUT-8
  test.each(['page=1&page=1', 'page=1&page=', 'p%61ge=1&page=2', ...noIntegers])(
    'is rejected if it is repeated, or not written as an integer: %s',
    async (query) => {
      expect(await rejectedBy(`GET /api/users?${query}`)).toEqual(['page']);
    },
  );

  // Rules: INPUT-9
  test.each(['unknown=1', 'unknown=1&unknown=2', '__proto__=1', 'page[]=3', 'constructor=x', '&&&=&', '%zz=%zz', '?', '#page=0'])(
    'is ignored if it is unknown: %s',
    async (query) => {
      expect((await askAsGlobal(`GET /api/users?${query}`)).status).toBe(200);
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
    expect(JSON.parse((await askAsGlobal(`GET /api/customers/${customerId.toUpperCase()}`)).text)).toMatchObject({ id: customerId });
    const other = await world.create<{ id: string }>('POST /api/customers', { federalTaxId: world.newTaxId(), name: 'Other' });
    const { status, body } = await world.call(world.global, `PUT /api/customers/${customerId}`, { id: other.id, alias: 'C' });
    expect([status, body['id'], body['alias']]).toEqual([200, customerId, 'C']);
    expect((await world.call(world.global, `PUT /api/customers/${customerId}`, { id: 42 })).status).toBe(200);
  });
});
