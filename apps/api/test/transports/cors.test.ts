import { beforeAll, expect, test } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { useWorld } from '../support/world.ts';

const web = 'https://web.example';
const other = 'https://other.example';

const world = useWorld();
const settings = { closed: '', listed: `${web}/, http://localhost:5173`, open: '*', development: 'http://localhost:*,http://127.0.0.1:*' };
type Kind = keyof typeof settings;
/** A service for each value of CORS_ORIGINS. */
const services = {} as Record<Kind, Service>;
beforeAll(async () => {
  for (const [kind, CORS_ORIGINS] of Object.entries(settings)) services[kind as Kind] = await world.another({ CORS_ORIGINS });
});

const ask = (kind: Kind, origin: string, path = '/api/customers', token = world.global.token) =>
  fetch(services[kind].url + path, { headers: { origin, authorization: `Bearer ${token}` } });
const preflight = (kind: Kind, origin: string, path = '/api/customers') =>
  fetch(services[kind].url + path, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PUT' } });

test('without CORS_ORIGINS, responses have no CORS headers, and a preflight gets 405', async () => {
  const responses = [await ask('closed', web), await preflight('closed', web)];
  expect(responses.map(({ status }) => status)).toEqual([200, 405]);
  for (const { headers } of responses) expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

test('the headers name the allowed methods and headers, and the headers that a page may read', async () => {
  const asked = await preflight('listed', web);
  expect([asked.status, asked.headers.get('access-control-allow-methods')]).toEqual([204, 'DELETE,GET,HEAD,POST,PUT']);
  const sent = 'authorization,content-type,x-request-id,idempotency-key,if-match,if-none-match,if-range,last-event-id,range,x-tenant-id';
  expect(asked.headers.get('access-control-allow-headers')).toBe(sent);
  const exposed = (await ask('listed', web)).headers.get('access-control-expose-headers');
  for (const name of ['x-request-id', 'retry-after', 'www-authenticate', 'content-disposition', 'content-range', 'etag'])
    expect(exposed?.split(',')).toContain(name);
});

test('error responses have CORS headers too, over REST and tRPC', async () => {
  for (const path of ['/api/customers', '/api/unknown', '/trpc/customers.list', '/trpc/unknown']) {
    const { ok, headers } = await ask('listed', web, path, 'no token');
    expect([ok, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([false, web, expect.stringContaining('Origin')]);
  }
  expect((await preflight('listed', web, '/trpc/customers.create')).status).toBe(204);
  expect((await ask('listed', web, '/trpc/customers.list')).headers.get('vary')).toBe('Origin, trpc-accept, accept');
});

test.each<[Kind, origin: string, allowed: string, vary: string | null]>([
  ['listed', web, web, 'Origin'],
  ['open', other, '*', null],
  ['development', 'http://localhost', 'http://localhost', 'Origin'],
  ['development', 'http://127.0.0.1:65535', 'http://127.0.0.1:65535', 'Origin'],
])('with %s origins, %s is allowed, without credentials', async (kind, origin, allowed, vary) => {
  for (const { ok, headers } of [await preflight(kind, origin), await ask(kind, origin)]) {
    expect([ok, headers.get('access-control-allow-origin')]).toEqual([true, allowed]);
    expect(/Origin/.exec(headers.get('vary') ?? '')?.[0] ?? null).toBe(vary);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  }
});

test.each<[Kind, origins: string[]]>([
  ['listed', [other, 'null', `${web}.evil.example`, 'http://web.example', 'https://web.example:8443']],
  ['development', [web, 'https://localhost:5173', 'http://evil.localhost:5173', 'http://localhost:', 'null']],
  ['development', ['http://localhost:5173.evil.example', 'http://localhost.evil.example:5173', 'http://127x0.0.1:5173']],
])('with %s origins, others are not allowed: %j', async (kind, origins) => {
  for (const origin of origins)
    for (const { headers } of [await preflight(kind, origin), await ask(kind, origin)])
      expect([origin, headers.get('access-control-allow-origin')]).toEqual([origin, null]);
});
