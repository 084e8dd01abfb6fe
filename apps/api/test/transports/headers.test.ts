import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { asGlobal } from './request.ts';

const world = useWorld({ CORS_ORIGINS: 'https://web.example' });

const ask = (target: string, headers: Record<string, string> = {}) => asGlobal(world)(target, { headers });
const asPreflight = { origin: 'https://web.example', 'access-control-request-method': 'GET' };

/** Every kind of response, with its status, and with its Cache-Control if caches may store it, because it is the same for every client. */
const kinds: [what: string, target: string, status: number, caching?: string][] = [
  ['data', 'GET /api/customers', 200],
  ['a problem', 'GET /api/customers/42', 400],
  ['a refusal', 'GET /service/cooperatives', 403],
  ['an unknown route', 'GET /unknown', 404],
  ['an unknown method', 'PATCH /api/customers', 405],
  ['data over tRPC', 'GET /trpc/customers.list', 200],
  ['an error over tRPC', 'GET /trpc/unknown', 404],
  ['an error that tRPC raises', 'GET /trpc/customers.list,customers.create?batch=1', 400],
  ['health', 'GET /health/ready', 200],
  ['the OpenAPI document', 'GET /openapi.json', 200, 'no-cache'],
  ['a script', 'GET /docs/scalar.js', 200, 'no-cache'],
  ['an icon', 'GET /favicon.ico', 200, 'public, max-age=86400'],
  ['the API reference', 'GET /docs', 200],
  ['the list of errors', 'GET /errors', 200, 'no-cache'],
  ['the landing page', 'GET /', 200, 'no-cache'],
];

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const everywhere = {
  'referrer-policy': 'no-referrer',
  'strict-transport-security': expect.stringMatching(/^max-age=31536000; ?includeSubDomains$/),
  'x-content-type-options': 'nosniff',
};

test.each(kinds)('%s has the security headers and a request id, and does not name the server', async (_what, target, status, caching) => {
  expect((await ask(target, { 'x-request-id': 'web:4711_x.y' })).headers['x-request-id']).toBe('web:4711_x.y');
  const answer = await ask(target);
  const headers = { ...everywhere, 'cache-control': caching ?? 'no-store', 'x-request-id': expect.stringMatching(uuid) };
  expect([answer.status, answer.headers]).toEqual([status, expect.objectContaining(headers)]);
  // Express would add an entity tag to every response.
  const added = caching ? /^(x-powered-by|server)$/ : /^(x-powered-by|server|etag)$/;
  expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining([expect.stringMatching(added)]));
  const policy = String(answer.headers['content-security-policy']);
  const isPage = /^GET \/(docs|errors)?$/.test(target);
  expect(policy).toMatch(isPage ? /script-src|style-src/ : /^default-src 'none'; frame-ancestors 'none'$/);
  // A page loads only its own files, and cannot be framed.
  expect(policy).toMatch(/(^|;)default-src 'none'(;|$)/);
  expect(policy).toMatch(/(^|; ?)frame-ancestors 'none'(;|$)/);
  expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/);
});

test('a response without content and a preflight have a request id and the security headers', async () => {
  const { id } = await world.create<{ id: string }>('POST /api/customers', { federalTaxId: world.newTaxId(), name: 'Central' });
  for (const answer of [await ask(`DELETE /api/customers/${id}`), await ask('OPTIONS /api/customers', asPreflight)])
    expect([answer.status, answer.headers]).toEqual([
      204,
      expect.objectContaining({ ...everywhere, 'x-request-id': expect.stringMatching(uuid) }),
    ]);
});

test.each(['GET /errors', 'GET /'])('the response to %s runs no inline script or style without its hash', async (target) => {
  const policy = String((await ask(target)).headers['content-security-policy']);
  const sources = policy.match(/(?<=(script|style)-src[-a-z]* )[^;]*/g) ?? ['none'];
  expect(sources).toEqual(sources.map(() => expect.stringMatching(/^'sha256-[\w+/=]{44}'$/)));
});

test('invalid request ids are replaced by new ones, and valid ones are kept', async () => {
  const invalid = ['', ' ', 'a b', 'x'.repeat(65), '<b>', 'é', 'a,b', '{"a":1}', "';--"];
  for (const id of invalid) expect((await ask('GET /api/customers', { 'x-request-id': id })).headers['x-request-id']).toMatch(uuid);
  for (const id of ['a', 'x'.repeat(64)])
    expect((await ask('GET /api/customers', { 'x-request-id': id })).headers['x-request-id']).toBe(id);
});

/** RFC 6750, section 3.1: the response to a request without token has no error code. */
// Rules: ERRORS-7
test.each([
  ['no error without a token', ['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearers x'], 'Bearer'],
  ['invalid_token for an invalid token', ['Bearer x', 'bearer x', 'Bearer a b', 'Bearer a.b.c'], 'Bearer error="invalid_token"'],
])('WWW-Authenticate has %s', async (_what, values, challenge) => {
  for (const target of ['GET /api/customers', 'GET /service/cooperatives', 'GET /trpc/customers.list'])
    for (const authorization of values) {
      const { status, headers } = await ask(target, { authorization });
      expect([authorization, status, headers['www-authenticate']]).toEqual([authorization, 401, challenge]);
    }
});
