import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/service.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => (world = await startWorld()));
afterAll(() => world.stop());

/** An instance that allows three requests per address and hour. */
const strict = (extra: Record<string, string> = {}) =>
  world.another({ RATE_LIMIT_ADDRESS_PER_SECOND: '3', ...extra }, { limitWindowSeconds: 3600 });
const ask = ({ url }: Service, path = '/api/states', headers: Record<string, string> = {}) => fetch(url + path, { headers });
const from = (address: string) => ({ 'x-forwarded-for': address });
/** The statuses of repeated requests. */
async function statuses(times: number, send: (index: number) => Promise<Response>): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < times; index += 1) all.push((await send(index)).status);
  return all;
}

describe('an address', () => {
  test('gets 429 after three tokens, also for a valid fourth one', async () => {
    const service = await strict();
    const tokens = ['a.b.c', 'd.e.f', await world.tokenOf({ claims: { exp: 1 } }), 'g.h.i', world.global.token];
    const tried = await statuses(5, (index) => ask(service, '/api/states', { authorization: `Bearer ${tokens[index]}` }));
    expect(tried).toEqual([401, 401, 401, 429, 429]);
  });

  test.each([
    '/api/states',
    '/service/cooperatives',
    '/trpc/states.list',
    '/api/unknown',
    '/trpc/unknown',
    '/unknown',
    '/openapi.json',
    '/docs',
    '/errors',
  ])('is limited at %s', async (path) => {
    const service = await strict();
    const [first, second, third, ...others] = await statuses(5, () => ask(service, path));
    expect([first, second, third]).not.toContain(429);
    expect(others).toEqual([429, 429]);
  });

  test('gets the remaining requests and the time to wait in headers', async () => {
    const service = await strict();
    const answers = [await ask(service), await ask(service), await ask(service), await ask(service)];
    expect(answers.map(({ headers }) => headers.get('ratelimit-policy'))).toEqual(answers.map(() => '"address";q=3;w=3600'));
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.split(';')[1])).toEqual(['r=2', 'r=1', 'r=0', 'r=0']);
    expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual([null, null, null, '1']);
  });

  test('gets 429 in the format of the transport', async () => {
    const service = await strict();
    await statuses(3, () => ask(service));
    const [rest, trpc] = [await ask(service), await ask(service, '/trpc/states.list')];
    expect(rest.headers.get('content-type')).toBe('application/problem+json');
    expect(await rest.json()).toMatchObject({ status: 429, code: 'RATE_LIMITED', instance: rest.headers.get('x-request-id') });
    expect([trpc.status, trpc.headers.get('content-type'), trpc.headers.get('retry-after')]).toEqual([429, 'application/json', '1']);
    const data = { code: 'TOO_MANY_REQUESTS', httpStatus: 429, problem: { code: 'RATE_LIMITED', status: 429 } };
    expect(await trpc.json()).toMatchObject({ error: { data } });
  });

  test.each(['/api/apps', '/trpc/apps.create'])('gets 429 before the body has arrived: %s', async (path) => {
    const service = await strict();
    await statuses(3, () => ask(service));
    const headers = { 'content-type': 'application/json', 'content-length': '1000' };
    const sent = request(service.url + path, { method: 'POST', headers, agent: false });
    sent.write('{"name":');
    const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
    sent.on('error', () => undefined).destroy();
    expect(statusCode).toBe(429);
  });

  test('gets 429 with CORS headers', async () => {
    const service = await strict({ CORS_ORIGINS: 'https://web.example' });
    await statuses(3, () => ask(service));
    const { status, headers } = await ask(service, '/api/states', { origin: 'https://web.example' });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([429, 'https://web.example']);
    const exposed = headers.get('access-control-expose-headers')?.split(',');
    expect(exposed).toEqual(expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'retry-after']));
  });

  test('is accepted again after the window', async () => {
    const service = await world.another({ RATE_LIMIT_ADDRESS_PER_SECOND: '1' });
    const status = async () => (await ask(service)).status;
    await expect.poll(() => Promise.all([status(), status(), status()])).toContain(429);
    await expect.poll(status).toBe(401);
  });

  test('is not limited for health and metrics', async () => {
    const service = await strict({ MANAGEMENT_PORT: '0' });
    await statuses(4, () => ask(service));
    for (const path of ['/health/live', '/health/ready']) {
      const { status, headers } = await ask(service, path);
      expect([status, headers.get('ratelimit')]).toEqual([200, null]);
    }
    expect((await ask(service, '/health/other')).status).toBe(429);
    for (const path of ['/health/ready', '/metrics']) expect((await fetch(`${service.managementUrl}${path}`)).status).toBe(200);
    const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
    expect(metrics).toContain('\nprofile_rate_limited_total{limit="address"} 2\n');
  });
});

describe('X-Forwarded-For', () => {
  test('is ignored without TRUST_PROXY', async () => {
    const service = await strict();
    expect(await statuses(4, (index) => ask(service, '/api/states', from(`203.0.113.${index}`)))).toEqual([401, 401, 401, 429]);
  });

  test.each(['1', 'loopback', '127.0.0.0/8, ::1'])('is used if the proxy is trusted: %s', async (trust) => {
    const service = await strict({ TRUST_PROXY: trust });
    const ofOne = () => ask(service, '/api/states', from('203.0.113.7'));
    expect(await statuses(4, ofOne)).toEqual([401, 401, 401, 429]);
    expect((await ask(service, '/api/states', from('203.0.113.8'))).status).toBe(401);
    expect((await ask(service)).status).toBe(401);
  });

  test('is used only as far as trusted proxies wrote it', async () => {
    const service = await strict({ TRUST_PROXY: '1' });
    const spoofed = (index: number) => ask(service, '/api/states', from(`198.51.100.${index}, 203.0.113.7`));
    expect(await statuses(4, spoofed)).toEqual([401, 401, 401, 429]);
    const ofTwo = await strict({ TRUST_PROXY: 'loopback, 10.0.0.0/8' });
    const throughTwo = (index: number) => ask(ofTwo, '/api/states', from(`198.51.100.${index}, 203.0.113.7, 10.1.2.3`));
    expect(await statuses(4, throughTwo)).toEqual([401, 401, 401, 429]);
  });

  test('is ignored from an untrusted proxy', async () => {
    const service = await strict({ TRUST_PROXY: '10.0.0.0/8' });
    expect(await statuses(4, (index) => ask(service, '/api/states', from(`203.0.113.${index}`)))).toEqual([401, 401, 401, 429]);
  });

  test.each([
    ['IPv6 addresses of one /64 network', (index: number) => `2001:db8:1:2:${index}::${index}`, 429],
    ['IPv6 addresses of different networks', (index: number) => `2001:db8:1:${index}::1`, 401],
    [
      'an IPv4 address, written in different ways',
      (index: number) => ['203.0.113.7', '::ffff:203.0.113.7', '203.0.113.7:5000', '::ffff:cb00:7107'][index],
      429,
    ],
    ['IPv6 addresses with ports', (index: number) => `[2001:db8:1:2::1]:${5000 + index}`, 429],
    ['what is no address', (index: number) => `unknown-${index}`, 429],
  ])('is parsed as an address: %s', async (_what, address, last) => {
    const service = await strict({ TRUST_PROXY: '1' });
    expect(await statuses(4, (index) => ask(service, '/api/states', from(address(index) ?? '')))).toEqual([401, 401, 401, last]);
  });
});
