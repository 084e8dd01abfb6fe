import { describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { metricOf } from '../support/metrics.ts';
import { useWorld } from '../support/world.ts';
import { headOf, openConnection } from '../transports/connection.ts';

const world = useWorld();
/** Behind one proxy, so that each test can use an address of its own. */
const service = duringTests(() => strict({ TRUST_PROXY: '1', CORS_ORIGINS: 'https://web.example', MANAGEMENT_PORT: '0' }));

/** Starts an instance that allows three requests per address and hour. */
const strict = (settings: Record<string, string>) =>
  world.another({ RATE_LIMIT_ADDRESS_PER_SECOND: '3', ...settings }, { limitWindowSeconds: 3600 });
const forwarded = (address: string) => ({ 'x-forwarded-for': address });
const get = ({ url }: { url: string }, headers: Record<string, string>, path = '/api/states', method = 'GET') =>
  fetch(url + path, { method, headers });

let used = 0;
/** The headers of requests from an address without earlier requests. */
const newAddress = () => forwarded(`10.0.0.${(used += 1)}`);

/** Sends requests one after the other. */
async function responses(times: number, send: (index: number) => Promise<Response>): Promise<Response[]> {
  const all: Response[] = [];
  for (let index = 0; index < times; index += 1) all.push(await send(index));
  return all;
}
const statuses = async (times: number, send: (index: number) => Promise<Response>) =>
  (await responses(times, send)).map(({ status }) => status);

/** Uses up the limit of a new address with invalid tokens. */
async function exhaust(): Promise<Record<string, string>> {
  const address = newAddress();
  const tokens = ['a.b.c', 'd.e.f', await world.tokenOf({ claims: { exp: 1 } })];
  const tried = await statuses(3, (index) => get(service, { ...address, authorization: `Bearer ${tokens[index]}` }));
  expect(tried).toEqual([401, 401, 401]);
  return address;
}

describe('an address', () => {
  const paths = [
    '/api/states',
    '/service/cooperatives',
    '/trpc/states.list',
    '/trpc/unknown',
    '/trpc/%zz',
    '/unknown',
    '/openapi.json',
    '/docs',
  ];
  test.each([...paths.map((path) => `GET ${path}`), 'HEAD /trpc/states.list', 'PUT /trpc/states.list'])(
    'is limited: %s',
    async (target) => {
      const address = newAddress();
      const [method, path] = target.split(' ');
      const answers = await responses(5, () => get(service, address, path, method));
      expect(answers.map(({ status }) => status === 429)).toEqual([false, false, false, true, true]);
      expect(answers.map(({ headers }) => headers.get('ratelimit')?.split(';')[1])).toEqual(['r=2', 'r=1', 'r=0', 'r=0', 'r=0']);
      expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual([null, null, null, '1', '1']);
    },
  );

  test.each(['/api/apps', '/trpc/apps.create'])('gets 429 before the body has arrived: %s', async (path) => {
    const address = `X-Forwarded-For: ${(await exhaust())['x-forwarded-for']}`;
    const { socket, until } = await openConnection(service.port);
    socket.write(`${headOf(`POST ${path}`, {}, address, 'Content-Type: application/json', 'Content-Length: 1000')}{"name":`);
    expect(await until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 429 /);
    socket.destroy();
  });

  test('gets 429 also for a valid token, with CORS headers', async () => {
    const authorization = `Bearer ${world.global.token}`;
    const { status, headers } = await get(service, { ...(await exhaust()), authorization, origin: 'https://web.example' });
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
    const rejected = () => metricOf(service, 'profile_rate_limited_total', /limit="address"/);
    const before = await rejected();
    expect(await statuses(2, (index) => get(service, address, ['/health/live', '/health/ready'][index]))).toEqual([200, 200]);
    expect((await get(service, address, '/health/other')).status).toBe(429);
    expect(await rejected()).toBe(before + 1);
  });
});

describe('X-Forwarded-For', () => {
  test.each([
    ['', ''],
    ['10.0.0.0/8', ''],
    ['1', ', 203.0.113.20'],
    ['loopback, 10.0.0.0/8', ', 203.0.113.20, 10.1.2.3'],
  ])('is used only as far as proxies wrote it that TRUST_PROXY names: %j', async (TRUST_PROXY, written) => {
    const instance = await strict({ TRUST_PROXY });
    const spoofed = (index: number) => get(instance, forwarded(`198.51.100.${index}${written}`));
    expect(await statuses(4, spoofed)).toEqual([401, 401, 401, 429]);
  });

  test.each([
    ['IPv6 addresses of one /64 network share a limit', [0, 1, 2, 3].map((n) => `2001:db8:1:2:${n}::${n}`), 429],
    ['IPv6 addresses of different networks have separate limits', [0, 1, 2, 3].map((n) => `2001:db8:2:${n}::1`), 401],
    ['an IPv4 address has one limit', ['203.0.113.7', '::ffff:203.0.113.7', '203.0.113.7:5000', '::ffff:cb00:7107'], 429],
    ['an IPv6 address has one limit for all ports', [0, 1, 2, 3].map((n) => `[2001:db8:3::1]:500${n}`), 429],
    ['a value that is no address counts for the proxy', ['', 'unknown', 'unknown-2', 'unknown-3'], 429],
  ])('%s', async (_title, addresses, last) => {
    expect(await statuses(4, (index) => get(service, forwarded(addresses[index] ?? '')))).toEqual([401, 401, 401, last]);
  });
});
