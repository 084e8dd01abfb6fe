import { beforeAll, describe, expect, test } from 'vitest';
import { headOf, openConnection } from '../transports/connection.ts';
import { expectProblem, send, type Wire } from '../transports/request.ts';
import type { Person } from '../support/people.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const [mine, other] = [useTenant(world), useTenant(world)];
let member: Person;
beforeAll(async () => {
  member = await world.person({ [mine.id]: 'viewer', [other.id]: 'viewer' });
});

const ask = (target: string, wire: Wire) => send(world.service.url, target, wire);
const bearer = ({ token = '' }) => `Bearer ${token}`;

// transports/connections.test.ts repeats Host.
test('a repeated Authorization, X-Tenant-Id, Content-Type or Idempotency-Key is rejected', async () => {
  const [good, bad] = [bearer(world.global), bearer(member)];
  for (const authorization of [
    [good, bad],
    [bad, good],
    [good, good],
  ])
    for (const target of ['GET /api/customers', 'GET /service/cooperatives', 'GET /trpc/customers.list'])
      expect((await ask(target, { headers: { authorization } })).status).toBe(401);
  for (const second of [other.id, mine.id, '']) {
    const headers = { authorization: bad, 'x-tenant-id': [mine.id, second] };
    expectProblem(await ask('GET /api/organizations', { headers }), 'TENANT_NOT_ALLOWED');
  }
  const json = 'application/json; charset=utf-8';
  for (const first of ['text/plain', 'application/json', json]) {
    const headers = { authorization: good, 'content-type': [first, json] };
    expectProblem(await ask('POST /api/apps', { headers, body: '{"name":"x"}' }), 'UNSUPPORTED_MEDIA_TYPE');
  }
  const headers = { authorization: good, 'content-type': json, 'idempotency-key': ['a', 'a'] };
  expectProblem(await ask('POST /api/apps', { headers, body: '{"name":"x"}' }), 'VALIDATION_FAILED');
});

/** A proxy could disagree with the service about where such a request ends (request smuggling). */
describe('a request with an ambiguous length is rejected, and what follows is not served as a request:', () => {
  test.each<[what: string, rest: string, status?: string]>([
    ['Content-Length before Transfer-Encoding', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['Transfer-Encoding before Content-Length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n'],
    ['two Content-Length headers', 'Content-Length: 0\r\nContent-Length: 5\r\n\r\n'],
    ['two lengths in one header', 'Content-Length: 0, 5\r\n\r\n'],
    ['a length with a sign', 'Content-Length: +5\r\n\r\n12345'],
    ['a negative length', 'Content-Length: -1\r\n\r\n'],
    ['chunked before another encoding', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    ['an unknown encoding', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
    ['a folded header', 'Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n'],
    ['a chunk size that is no hexadecimal number', 'Transfer-Encoding: chunked\r\n\r\n0x5\r\n12345\r\n0\r\n\r\n'],
    // The service has sent the 401 when the invalid part arrives.
    ['a chunk longer than its size', 'Transfer-Encoding: chunked\r\n\r\n1\r\n12345\r\n0\r\n\r\n', '401 Unauthorized'],
    ['a line that ends in CR only', 'X-A: b\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['NUL in a header', 'X-A: b\u0000\r\nContent-Length: 0\r\n\r\n'],
  ])('%s', async (_what, rest, status = '400 Bad Request') => {
    const { socket, closed, until } = await openConnection(world.service.port);
    socket.write(`POST /api/apps HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${rest}${headOf('GET /health/live')}`);
    await closed;
    const answers = await until('');
    expect(answers.match(/HTTP\/1\.1 \d+ [\w ]+/g)).toEqual([`HTTP/1.1 ${status}`]);
    expect(answers).not.toContain('"status":"ok"');
  });
});

test.each(['x-http-method-override', 'x-http-method', 'x-method-override', 'x-original-url', 'x-rewrite-url'])(
  'the header %s does not change the request',
  async (name) => {
    const { customerId } = mine;
    const headers = { authorization: bearer(world.global), [name]: name.endsWith('url') ? '/api/apps' : 'DELETE' };
    const answer = await ask(`GET /api/customers/${customerId}?_method=DELETE`, { headers });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, expect.objectContaining({ id: customerId })]);
  },
);

test.each(['/api/unknown', '/api/customers', '/openapi.json', '/docs', '/docs/openapi.json', '/errors', '/trpc/unknown'])(
  'the response does not contain the host from request headers: %s',
  async (path) => {
    const evil = 'evil.example';
    const ofProxies = ['host', 'proto', 'prefix', 'for'].map((name) => [`x-forwarded-${name}`, evil]);
    const headers = { host: evil, origin: `https://${evil}`, referer: `https://${evil}/`, forwarded: `host=${evil};proto=http` };
    const answer = await ask(`GET ${path}`, { headers: { ...headers, ...Object.fromEntries(ofProxies) } });
    expect(JSON.stringify(answer)).not.toContain(evil);
  },
);

test.each(['/', '/api/customers/', '/trpc/a', '/docs/'])('line breaks in a URL do not reach response headers: %s', async (path) => {
  const answer = await ask(`GET ${path}%0d%0aX-Evil:1`, { headers: { authorization: bearer(world.global) } });
  expect(answer.status).toBeLessThan(500);
  expect(Object.keys(answer.headers)).not.toContain('x-evil');
});
