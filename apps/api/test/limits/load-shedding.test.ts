import { Agent } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { outcome } from '../support/api.ts';
import { metricOf } from '../support/metrics.ts';
import { raceAgainst } from '../support/race.ts';
import { sendRequest } from '../support/http.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const origin = 'https://app.example.com';

const world = useWorld();
const other = useMember(world, useTenant(world), 'viewer');
const busyTenant = useTenant(world);
const busy = useMember(world, busyTenant, 'tenant-admin');
/** A tenant may use one of the two database connections, and two requests may wait. */
const api = duringTests(() =>
  world.another({ DATABASE_POOL_MAX: '2', REQUEST_QUEUE_MAX: '2', MANAGEMENT_PORT: '0', CORS_ORIGINS: origin }),
);
beforeAll(async () => {
  // The callers are cached then, so that their requests do not need the database before they take a slot.
  for (const person of [busy, other]) await api.call(person, 'GET /api/me/tenants');
});

const queueLength = () => metricOf(api, 'profile_request_queue_length');
const list = () => api.call(busy, 'GET /api/organizations');

/** Runs the work while one request of the busy tenant runs and one waits, so that its part of the queue is full. Returns the statuses of the two. */
const whileFull = (work: () => Promise<unknown>) =>
  raceAgainst(
    world,
    ['lock table organizations in access exclusive mode', []],
    async () => (await Promise.all([list(), list()])).map(outcome),
    async () => {
      await expect.poll(queueLength).toBe(1);
      await work();
    },
  );

describe('while the queue of a tenant is full', () => {
  test('its requests are 503 with Retry-After, over REST and tRPC, and other tenants are served', async () => {
    const shed = await metricOf(api, 'profile_requests_shed_total');
    const statuses = await whileFull(async () => {
      const refused = await list();
      expect([refused.status, refused.code, refused.headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
      expect(refused.body).toMatchObject({
        detail: 'The service is overloaded: too many requests wait for a database slot. Retry after 1 second.',
      });
      // A request that names the tenant is rejected before its token is read.
      const named = (tenant: string) => api.call({ token: 'unknown', tenant }, 'GET /api/organizations');
      expect([await named(busyTenant.id.toUpperCase()), await named(other.id)].map(({ status }) => status)).toEqual([503, 401]);
      const headers = { authorization: `Bearer ${busy.token}` };
      const overTrpc = await fetch(`${api.url}/trpc/organizations.list,states.list?batch=1`, { headers });
      expect([overTrpc.status, overTrpc.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await overTrpc.json()).toMatchObject([unavailable, unavailable]);
      await expect(api.client(busy).organizations.list.query()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(outcome(await api.call(other, 'GET /api/states'))).toBe(200);
      expect(await metricOf(api, 'profile_requests_shed_total')).toBe(shed + 5);
    });
    expect(statuses).toEqual([200, 200]);
    expect(await queueLength()).toBe(0);
    expect(await metricOf(api, 'profile_request_queue_wait_seconds_count')).toBeGreaterThan(0);
  });

  test('an early rejection is the same response as a later one', async () => {
    await whileFull(async () => {
      const id = 'request-1';
      const responses = [{}, { tenant: busyTenant.id }].map((headers) =>
        api.call({ ...busy, ...headers }, 'GET /api/organizations', undefined, { 'x-request-id': id }),
      );
      const [later, early] = await Promise.all(responses);
      expect(early?.body).toEqual(later?.body);
      expect(early?.body).toMatchObject({ status: 503, instance: id });
      const headersOf = (response = early) =>
        Object.fromEntries([...(response?.headers ?? [])].filter(([name]) => name !== 'date' && !name.startsWith('ratelimit')));
      expect(headersOf(early)).toEqual(headersOf(later));
    });
  });

  test('a rejected request with a body leaves the connection usable, and a browser gets the CORS headers', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { hostname, port } = new URL(api.url);
    const headers = { 'x-tenant-id': busyTenant.id, 'content-type': 'application/json', origin };
    const post = (body: string) => sendRequest({ agent, hostname, port, headers, method: 'POST', path: '/api/organizations' }, body);
    const rejected = { status: 503, headers: { 'retry-after': '1', 'access-control-allow-origin': origin } };
    await whileFull(async () => {
      for (const bytes of [2, 16_384, 16_385, 2]) expect(await post('x'.repeat(bytes))).toMatchObject(rejected);
      // Health checks succeed, on both ports.
      for (const url of [api.url, api.managementUrl])
        for (const path of ['/health/live', '/health/ready'])
          expect((await fetch(url + path, { headers: { 'x-tenant-id': busyTenant.id } })).status).toBe(200);
    });
    agent.destroy();
  });
});

const unavailable = { error: { data: { problem: { code: 'SERVICE_UNAVAILABLE' } } } };
