import { describe, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { send } from './request.ts';

const world = useWorld({ CORS_ORIGINS: 'https://web.example' });

const ask = (target: string, headers: Record<string, string> = {}) =>
  send(world.service.url, target, { headers: { authorization: `Bearer ${world.global.token}`, ...headers } });

const everywhere = {
  'referrer-policy': 'no-referrer',
  'strict-transport-security': expect.stringMatching(/^max-age=31536000; ?includeSubDomains$/),
  'x-content-type-options': 'nosniff',
};

/** Caches may store these, because they are the same for every client. */
const publicFiles: Record<string, string> = {
  'GET /openapi.json': 'no-cache',
  'GET /docs/scalar.js': 'no-cache',
  'GET /favicon.ico': 'public, max-age=86400',
};

describe('security headers on data responses', () => {
  test.each([
    ['GET /api/customers', 200],
    ['GET /api/customers/1', 400],
    ['GET /service/cooperatives', 403],
    ['GET /unknown', 404],
    ['PATCH /api/customers', 405],
    ['GET /trpc/customers.list', 200],
    ['GET /trpc/unknown', 404],
    ['PUT /trpc/customers.list', 405],
    ['GET /health/live', 200],
    ['GET /health/ready', 200],
    ['GET /openapi.json', 200],
    ['GET /docs/scalar.js', 200],
    ['GET /favicon.ico', 200],
  ] as const)('are set for %s with status %i', async (target, status) => {
    const answer = await ask(target);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      ...everywhere,
      'cache-control': publicFiles[target] ?? 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });

  test('are set on a preflight', async () => {
    const { status, headers } = await ask('OPTIONS /api/customers', {
      origin: 'https://web.example',
      'access-control-request-method': 'GET',
    });
    expect([status, headers]).toEqual([204, expect.objectContaining(everywhere)]);
  });
});

describe('security headers on pages', () => {
  test.each([
    ['/docs', 'no-store'],
    ['/errors', 'no-cache'],
    ['/', 'no-cache'],
  ])('let %s load only its own files, and forbid framing', async (path, caching) => {
    const { headers } = await ask(`GET ${path}`);
    expect(headers).toMatchObject({ ...everywhere, 'cache-control': caching, 'x-frame-options': expect.any(String) });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/(^|;)default-src 'none'(;|$)/);
    expect(policy).toMatch(/(^|;)frame-ancestors 'none'(;|$)/);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/);
  });

  test.each(['/errors', '/'])('let %s run no inline script or style without its hash', async (path) => {
    const { headers } = await ask(`GET ${path}`);
    const sources = String(headers['content-security-policy']).match(/(?<=(script|style)-src )[^;]*/g);
    expect(sources).toContainEqual(expect.stringMatching(/^'sha256-[\w+/=]{44}'$/));
    expect(sources?.filter((source) => !/^'sha256-[\w+/=]{44}'$/.test(source))).toEqual([]);
  });
});

test('responses do not name the server software', async () => {
  for (const target of ['GET /api/customers', 'GET /unknown', 'GET /trpc/unknown', 'GET /docs', 'GET /health/live']) {
    const { headers } = await ask(target);
    expect(Object.keys(headers)).not.toContain('x-powered-by');
    expect(Object.keys(headers)).not.toContain('server');
  }
});
