import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { send } from './request.ts';

const world = useWorld({ CORS_ORIGINS: 'https://web.example' });

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Every kind of response. */
const targets = [
  ['data', 'GET /api/customers', 200],
  ['no content', 'DELETE /api/customers/{id}', 204],
  ['a problem', 'GET /api/customers/42', 400],
  ['a refusal', 'GET /service/cooperatives', 403],
  ['an unknown route', 'GET /unknown', 404],
  ['an unknown method', 'PATCH /api/customers', 405],
  ['data over tRPC', 'GET /trpc/customers.list', 200],
  ['an error over tRPC', 'GET /trpc/unknown', 404],
  ['an error that tRPC raises', 'GET /trpc/customers.list,customers.create?batch=1', 400],
  ['health', 'GET /health/live', 200],
  ['the OpenAPI document', 'GET /openapi.json', 200],
  ['a page', 'GET /docs', 200],
  ['the list of errors', 'GET /errors', 200],
  ['a CORS preflight', 'OPTIONS /api/customers', 204],
] as const;

/** Sends the request and returns the X-Request-Id of the response. */
async function requestIdOf(target: string, status: number, requestId?: string) {
  const made = { federalTaxId: world.newTaxId(), name: 'Central' };
  const { id } = target.includes('{id}') ? await world.create<{ id: string }>('POST /api/customers', made) : { id: '' };
  const headers = {
    authorization: `Bearer ${world.global.token}`,
    ...(target.startsWith('OPTIONS') ? { origin: 'https://web.example', 'access-control-request-method': 'GET' } : {}),
    ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
  };
  const answer = await send(world.service.url, target.replace('{id}', id), { headers });
  expect(answer.status).toBe(status);
  return answer.headers['x-request-id'];
}

test.each(targets)('%s has the request id of the client, or a new one', async (_what, target, status) => {
  expect(await requestIdOf(target, status, 'web:4711_x.y')).toBe('web:4711_x.y');
  expect(await requestIdOf(target, status)).toMatch(uuid);
});

test.each(['a', '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f', 'x'.repeat(64)])('%s is a valid request id', async (valid) => {
  expect(await requestIdOf('GET /api/customers', 200, valid)).toBe(valid);
});

test('invalid request ids are replaced by new ones', async () => {
  const invalid = ['', ' ', 'a b', 'x'.repeat(65), '<b>', 'é', 'a,b', '{"a":1}', "';--"];
  const replaced = new Set<unknown>();
  for (const each of invalid) replaced.add(await requestIdOf('GET /api/customers', 200, each));
  expect([...replaced]).toEqual(invalid.map(() => expect.stringMatching(uuid)));
});
