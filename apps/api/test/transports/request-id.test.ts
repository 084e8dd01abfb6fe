import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWorld, type World } from '../support/world.ts';
import { send } from './request.ts';

let world: World;
beforeAll(async () => (world = await startWorld({ CORS_ORIGINS: 'https://web.example' })));
afterAll(() => world.stop());

/** Every kind of response. */
const targets = [
  ['data', 'GET /api/customers', 200],
  ['nothing', 'DELETE /api/customers/{id}', 204],
  ['a problem', 'GET /api/customers/42', 400],
  ['a refusal', 'GET /service/cooperatives', 403],
  ['no such route', 'GET /unknown', 404],
  ['no such method', 'PATCH /api/customers', 405],
  ['data over tRPC', 'GET /trpc/customers.list', 200],
  ['an error over tRPC', 'GET /trpc/unknown', 404],
  ['an error that tRPC raises', 'GET /trpc/customers.list,customers.create?batch=1', 400],
  ['health', 'GET /health/live', 200],
  ['the document', 'GET /openapi.json', 200],
  ['a page', 'GET /docs', 200],
  ['the texts of the errors', 'GET /errors', 200],
  ['leave to ask from another origin', 'OPTIONS /api/customers', 204],
] as const;

describe.each(targets)('%s', (_what, target, status) => {
  const ask = async (requestId?: string) => {
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
  };

  test('returns the request id of the client', async () => {
    for (const sane of ['a', '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f', 'web:4711_x.y', 'x'.repeat(64)]) expect(await ask(sane)).toBe(sane);
  });

  test('returns a new request id if that of the client is invalid', async () => {
    const seen = new Set<unknown>();
    for (const senseless of [undefined, '', ' ', 'a b', 'x'.repeat(65), '<b>', 'é', 'a,b', '{"a":1}', "';--"]) {
      const id = await ask(senseless);
      expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
      seen.add(id);
    }
    expect(seen.size).toBe(10);
  });
});
