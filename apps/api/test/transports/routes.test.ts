import { endpoints, httpMethodsOf } from '@profile-service/contracts';
import { absentId } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { asGlobal, expectProblem, send } from './request.ts';

const world = useWorld();

const askAsGlobal = asGlobal(world);
const ask = (target: string) => send(world.service.url, target);

describe('an unknown route', () => {
  // Rules: CHECKS-1, ERRORS-1
  test.each([
    'GET /api',
    'GET /api/unknown',
    'POST /api/users/1/2/3',
    'GET /API/users',
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

  test.each(['POST /health/live', 'DELETE /health/ready', 'POST /docs', 'PUT /openapi.json', 'POST /errors', 'OPTIONS /docs/scalar.js'])(
    'gets 405 with Allow on a page: %s',
    async (target) => {
      const answer = await ask(target);
      expectProblem(answer, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.allow).toBe('GET, HEAD');
    },
  );

  test('HEAD of a GET that writes is 405 without body', async () => {
    const answer = await askAsGlobal('HEAD /service/organizations/federal-tax-id/34567890000130');
    expect(answer.headers.allow).toBe('GET');
    expect(answer).toMatchObject({ status: 405, text: '', headers: { 'content-type': 'application/problem+json' } });
  });
});

test('a request target can be an absolute URL', async () => {
  const answer = await askAsGlobal(`GET ${world.service.url}/api/customers?limit=1`);
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { data: [], total: 0, totalPages: 0, currentPage: 1 }]);
});
