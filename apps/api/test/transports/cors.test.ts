import { beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { useWorld } from '../support/world.ts';

const web = 'https://web.example';
const other = 'https://other.example';

const world = useWorld();
let closed: Service;
let listed: Service;
let open: Service;
let development: Service;
beforeAll(async () => {
  closed = world.service;
  listed = await world.another({ CORS_ORIGINS: `${web}/, http://localhost:5173` });
  open = await world.another({ CORS_ORIGINS: '*' });
  development = await world.another({ CORS_ORIGINS: 'http://localhost:*,http://127.0.0.1:*' });
});

const ask = ({ url }: Service, origin: string, path = '/api/customers', token = world.global.token) =>
  fetch(url + path, { headers: { origin, authorization: `Bearer ${token}` } });
const preflight = ({ url }: Service, origin: string, path = '/api/customers') =>
  fetch(url + path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization,content-type,x-tenant-id' },
  });
const corsHeaders = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('without CORS_ORIGINS', () => {
  test('responses have no CORS headers, and a preflight gets 405', async () => {
    const [answer, asked] = [await ask(closed, web), await preflight(closed, web)];
    expect([answer.status, corsHeaders(answer)]).toEqual([200, []]);
    expect([asked.status, corsHeaders(asked)]).toEqual([405, []]);
  });
});

describe('with CORS_ORIGINS', () => {
  test.each([web, 'http://localhost:5173'])('an origin in the list is allowed: %s', async (origin) => {
    const asked = await preflight(listed, origin);
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked.headers.get('access-control-allow-methods')).toBe('DELETE,GET,HEAD,POST,PUT');
    expect(asked.headers.get('access-control-allow-headers')).toBe(
      'authorization,content-type,x-request-id,idempotency-key,if-match,if-none-match,if-range,range,x-tenant-id',
    );
    const answer = await ask(listed, origin);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect(answer.headers.get('vary')).toContain('Origin');
    expect(answer.headers.get('access-control-expose-headers')?.split(',')).toEqual(
      expect.arrayContaining(['x-request-id', 'retry-after', 'www-authenticate', 'content-disposition', 'content-range', 'etag']),
    );
  });

  test('error responses have CORS headers too, over REST and tRPC', async () => {
    for (const path of ['/api/customers', '/api/unknown', '/trpc/customers.list', '/trpc/unknown']) {
      const answer = await ask(listed, web, path, 'no token');
      expect([answer.ok, answer.headers.get('access-control-allow-origin'), answer.headers.get('vary')]).toEqual([
        false,
        web,
        expect.stringContaining('Origin'),
      ]);
    }
    expect((await preflight(listed, web, '/trpc/customers.create')).status).toBe(204);
    expect((await ask(listed, web, '/trpc/customers.list')).headers.get('vary')).toBe('Origin, trpc-accept, accept');
  });

  test.each([other, 'null', `${web}.evil.example`, 'http://web.example', 'https://web.example:8443'])(
    'another origin is not allowed: %s',
    async (origin) => {
      expect((await preflight(listed, origin)).headers.get('access-control-allow-origin')).toBeNull();
      expect((await ask(listed, origin)).headers.get('access-control-allow-origin')).toBeNull();
    },
  );
});

describe('with CORS_ORIGINS=*', () => {
  test('every origin is allowed', async () => {
    expect((await preflight(open, other)).headers.get('access-control-allow-origin')).toBe('*');
    expect((await ask(open, other)).headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('with CORS_ORIGINS=http://localhost:*,http://127.0.0.1:*', () => {
  test.each(['http://localhost', 'http://localhost:5173', 'http://127.0.0.1:65535'])(
    'a port of this machine is allowed: %s',
    async (origin) => {
      for (const answer of [await preflight(development, origin), await ask(development, origin)])
        expect([answer.ok, answer.headers.get('access-control-allow-origin'), answer.headers.get('vary')]).toEqual([
          true,
          origin,
          expect.stringContaining('Origin'),
        ]);
    },
  );

  test.each([
    web,
    'https://localhost:5173',
    'http://localhost:5173.evil.example',
    'http://localhost.evil.example:5173',
    'http://evil.localhost:5173',
    'http://127x0.0.1:5173',
    'http://localhost:',
    'null',
  ])('another origin is not allowed: %s', async (origin) => {
    for (const answer of [await preflight(development, origin), await ask(development, origin)])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('credentials are never allowed', async () => {
  for (const service of [closed, listed, open, development]) {
    expect((await preflight(service, web)).headers.get('access-control-allow-credentials')).toBeNull();
    expect((await ask(service, web)).headers.get('access-control-allow-credentials')).toBeNull();
  }
});
