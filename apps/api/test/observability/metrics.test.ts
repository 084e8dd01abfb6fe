import { describe, expect, test } from 'vitest';
import { createApi } from '../support/api.ts';
import { upload } from '../support/files.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ MANAGEMENT_PORT: '0' });

const scrape = async () => (await fetch(`${world.service.managementUrl}/metrics`)).text();

/** The value of a sample with its labels in any order; 0 if there is none. */
async function valueOf(name: string, labels: Record<string, string> = {}): Promise<number> {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = (await scrape()).split('\n').find((each) => {
    const [, sample, given = ''] = /^(\w+)(?:\{(.*)\})? /.exec(each) ?? [];
    return sample === name && wanted.every((label) => given.split(',').includes(label));
  });
  return Number(line?.split(' ').at(-1) ?? 0);
}
const growthOf = async (name: string, labels: Record<string, string>, what: () => Promise<unknown>) => {
  const before = await valueOf(name, labels);
  await what();
  return (await valueOf(name, labels)) - before;
};
const requests = (operation: string, status: string) => ['profile_request_duration_seconds_count', { operation, status }] as const;

test('requests are counted by operation and status, over REST and tRPC', async () => {
  expect(await growthOf(...requests('customers.list', '200'), () => world.call(world.global, 'GET /api/customers'))).toBe(1);
  expect(await growthOf(...requests('customers.list', '200'), () => world.client(world.global).customers.list.query())).toBe(1);
  expect(await growthOf(...requests('customers.list', '401'), () => world.call({}, 'GET /api/customers'))).toBe(1);
  expect(await growthOf(...requests('customers.get', '400'), () => world.call(world.global, 'GET /api/customers/1'))).toBe(1);
  expect(await growthOf(...requests('apps.create', '201'), () => world.create('POST /api/apps', { name: 'Counted' }))).toBe(1);
});

test('look-ups of callers are counted by where they were found', async () => {
  const person = await world.person();
  const ask = () => world.call(person, 'GET /api/me/tenants');
  expect(await growthOf('profile_caller_cache_lookups_total', { outcome: 'miss' }, ask)).toBe(1);
  // The notification of the person's creation may still arrive and invalidate the cache again.
  await expect.poll(() => growthOf('profile_caller_cache_lookups_total', { outcome: 'local' }, ask)).toBe(1);
});

test('calls to the identity provider and the storage are counted by outcome', async () => {
  const name = 'profile_dependency_request_duration_seconds_count';
  const find = { dependency: 'identity', operation: 'find' };
  expect(await growthOf(name, { ...find, outcome: 'ok' }, () => world.person())).toBe(1);
  world.identity.faults.admin = '500';
  const fail = () => world.call(world.global, 'POST /api/users', world.newPerson());
  expect(await growthOf(name, { ...find, outcome: 'failed' }, fail)).toBe(1);
  world.identity.faults.admin = 'none';
  expect(await growthOf(name, { dependency: 'storage', operation: 'put', outcome: 'ok' }, () => upload(world, world.global))).toBe(1);
});

test('the database pool shows its connections', async () => {
  const connections = (state: string) => valueOf('profile_database_pool_connections', { state });
  // The health check and the jobs use a connection now and then.
  await expect.poll(() => connections('busy')).toBe(0);
  await expect.poll(() => connections('idle')).toBeGreaterThan(0);
  expect(await valueOf('profile_database_pool_waiting_requests', {})).toBe(0);
});

// Rules: HEALTH-2
test('the result of each health check is shown, and whether the instance is ready', async () => {
  const service = await world.another({}, { healthIntervalMs: 250 });
  const shown = async () => {
    const text = await (await fetch(`${service.managementUrl}/metrics`)).text();
    return Object.fromEntries(
      [...text.matchAll(/^profile_(?:ready|health_check_up\{check="(\w+)"\}) (\d)$/gm)].map(([, check = 'ready', value]) => [check, value]),
    );
  };
  const up = { ready: '1', database: '1', identity: '1', storage: '1', cache: '1', auditPartitions: '1' };
  expect(await shown()).toEqual(up);
  world.identity.faults.all = '500';
  await expect.poll(shown).toEqual({ ...up, identity: '0' });
  world.identity.faults.all = 'none';
  await expect.poll(shown).toEqual(up);
});

describe('the management port', () => {
  test('exists only if it is set, and the public port has no metrics', async () => {
    const { managementUrl, url } = await world.another({ MANAGEMENT_PORT: '' });
    expect(managementUrl).toBeUndefined();
    expect((await createApi(url).call(world.global, 'GET /metrics')).code).toBe('ROUTE_NOT_FOUND');
  });

  test('serves no operation', async () => {
    for (const path of ['/api/customers', '/trpc/customers.list', '/docs'])
      expect((await fetch(`${world.service.managementUrl}${path}`)).status).toBe(404);
  });
});
