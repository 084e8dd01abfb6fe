import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { metricOf } from '../support/metrics.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
/** Behind one proxy, so that each test can use an address of its own. */
let service: Service;
beforeAll(async () => {
  service = await strict({ TRUST_PROXY: '1', CORS_ORIGINS: 'https://web.example', MANAGEMENT_PORT: '0' });
});

/** Starts an instance that allows three requests per address and hour. */
const strict = (settings: Record<string, string>) =>
  world.another({ RATE_LIMIT_ADDRESS_PER_SECOND: '3', ...settings }, { limitWindowSeconds: 3600 });
const forwarded = (address: string) => ({ 'x-forwarded-for': address });
const get = ({ url }: Service, headers: Record<string, string>, path = '/api/states') => fetch(url + path, { headers });

let addresses = 0;
/** The headers of requests from an address without earlier requests. */
const newAddress = () => forwarded(`10.0.0.${(addresses += 1)}`);

/** Sends requests one after the other. */
async function responses(times: number, send: (index: number) => Promise<Response>): Promise<Response[]> {
  const all: Response[] = [];
  for (let index = 0; index < times; index += 1) all.push(await send(index));
  return all;
}
const statuses = async (times: number, send: (index: number) => Promise<Response>) =>
  (await responses(times, send)).map(({ status }) => status);

/** Uses up the limit of a new address. */
async function exhaust(): Promise<Record<string, string>> {
  const address = newAddress();
  await responses(3, () => get(service, address));
  return address;
}

describe('an address', () => {
  test('gets 429 after three invalid tokens, also for a request with a valid token', async () => {
    const tokens = ['a.b.c', 'd.e.f', await world.tokenOf({ claims: { exp: 1 } }), 'g.h.i', world.global.token];
    const address = newAddress();
    const tried = await statuses(5, (index) => get(service, { ...address, authorization: `Bearer ${tokens[index]}` }));
    expect(tried).toEqual([401, 401, 401, 429, 429]);
  });

  test.each(['/api/states', '/service/cooperatives', '/trpc/states.list', '/trpc/unknown', '/unknown', '/openapi.json', '/docs'])(
    'is limited at %s',
    async (path) => {
      const address = newAddress();
      const answers = await responses(5, () => get(service, address, path));
      expect(answers.map(({ status }) => status === 429)).toEqual([false, false, false, true, true]);
      expect(answers.map(({ headers }) => headers.get('ratelimit')?.split(';')[1])).toEqual(['r=2', 'r=1', 'r=0', 'r=0', 'r=0']);
      expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual([null, null, null, '1', '1']);
    },
  );

  test.each(['/api/apps', '/trpc/apps.create'])('gets 429 before the body has arrived: %s', async (path) => {
    const headers = { ...(await exhaust()), 'content-type': 'application/json', 'content-length': '1000' };
    const sent = request(service.url + path, { method: 'POST', headers, agent: false });
    sent.write('{"name":');
    const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
    sent.on('error', () => undefined).destroy();
    expect(statusCode).toBe(429);
  });

  test('gets 429 with CORS headers', async () => {
    const { status, headers } = await get(service, { ...(await exhaust()), origin: 'https://web.example' });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([429, 'https://web.example']);
    const exposed = headers.get('access-control-expose-headers')?.split(',');
    expect(exposed).toEqual(expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'retry-after']));
  });

  test('is accepted again after the window', async () => {
    const perSecond = await world.another({ RATE_LIMIT_ADDRESS_PER_SECOND: '1' });
    const status = async () => (await get(perSecond, {})).status;
    await expect.poll(() => Promise.all([status(), status(), status()])).toContain(429);
    await expect.poll(status).toBe(401);
  });

  test('is not limited for health and metrics', async () => {
    const address = await exhaust();
    const refused = () => metricOf(service, 'profile_rate_limited_total', /limit="address"/);
    const before = await refused();
    for (const path of ['/health/live', '/health/ready']) {
      const { status, headers } = await get(service, address, path);
      expect([status, headers.get('ratelimit')]).toEqual([200, null]);
    }
    expect((await get(service, address, '/health/other')).status).toBe(429);
    expect(await refused()).toBe(before + 1);
  });
});

describe('X-Forwarded-For', () => {
  test.each([
    ['is ignored without TRUST_PROXY', {}],
    ['is ignored from an untrusted proxy', { TRUST_PROXY: '10.0.0.0/8' }],
  ])('%s', async (_title, settings) => {
    const untrusting = await strict(settings);
    expect(await statuses(4, (index) => get(untrusting, forwarded(`203.0.113.${index}`)))).toEqual([401, 401, 401, 429]);
  });

  test('is used only as far as trusted proxies wrote it', async () => {
    const spoofed = (index: number) => get(service, forwarded(`198.51.100.${index}, 203.0.113.20`));
    expect(await statuses(4, spoofed)).toEqual([401, 401, 401, 429]);
    const twoProxies = await strict({ TRUST_PROXY: 'loopback, 10.0.0.0/8' });
    const throughTwo = (index: number) => get(twoProxies, forwarded(`198.51.100.${index}, 203.0.113.20, 10.1.2.3`));
    expect(await statuses(4, throughTwo)).toEqual([401, 401, 401, 429]);
  });

  test.each([
    ['IPv6 addresses of one /64 network share a limit', (index: number) => `2001:db8:1:2:${index}::${index}`, 429],
    ['IPv6 addresses of different networks have separate limits', (index: number) => `2001:db8:2:${index}::1`, 401],
    [
      'an IPv4 address has one limit in all its spellings',
      (index: number) => ['203.0.113.7', '::ffff:203.0.113.7', '203.0.113.7:5000', '::ffff:cb00:7107'][index],
      429,
    ],
    ['an IPv6 address has one limit for all ports', (index: number) => `[2001:db8:3::1]:${5000 + index}`, 429],
    ['a value that is no address counts for the proxy', (index: number) => (index === 0 ? '' : `unknown-${index}`), 429],
  ])('%s', async (_title, address, last) => {
    expect(await statuses(4, (index) => get(service, forwarded(address(index) ?? '')))).toEqual([401, 401, 401, last]);
  });
});
