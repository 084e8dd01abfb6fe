import { expect, test } from 'vitest';
import { upload } from '../support/files.ts';
import { metricOf } from '../support/metrics.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ MANAGEMENT_PORT: '0' });

/** How much the samples with these labels grow. @param labels in the order of the metric */
async function growthOf(name: string, labels: Record<string, string>, what: () => Promise<unknown>): Promise<number> {
  const text = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const value = () => metricOf(world.service, name, new RegExp(text.join('.*')));
  const before = await value();
  await what();
  return (await value()) - before;
}

test.each<[operation: string, status: string, what: () => Promise<unknown>]>([
  ['customers.list', '200', () => world.call(world.global, 'GET /api/customers')],
  ['customers.list', '200', () => world.client(world.global).customers.list.query()],
  ['customers.list', '401', () => world.call({}, 'GET /api/customers')],
  ['customers.get', '400', () => world.call(world.global, 'GET /api/customers/1')],
  ['apps.create', '201', () => world.create('POST /api/apps', { name: 'Counted' })],
])('requests are counted by operation and status, over REST and tRPC: %s, %s', async (operation, status, what) => {
  expect(await growthOf('profile_request_duration_seconds_count', { operation, status }, what)).toBe(1);
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
  const connections = (state: string) => metricOf(world.service, 'profile_database_pool_connections', new RegExp(`state="${state}"`));
  // The health check and the jobs use a connection now and then.
  await expect.poll(() => connections('busy')).toBe(0);
  await expect.poll(() => connections('idle')).toBeGreaterThan(0);
  expect(await metricOf(world.service, 'profile_database_pool_waiting_requests')).toBe(0);
});

test('the management port exists only if it is set, and serves no operation, and the public port has no metrics', async () => {
  const { managementUrl, call } = await world.another({ MANAGEMENT_PORT: '' });
  expect(managementUrl).toBeUndefined();
  expect((await call(world.global, 'GET /metrics')).code).toBe('ROUTE_NOT_FOUND');
  for (const path of ['/api/customers', '/trpc/customers.list', '/docs'])
    expect((await fetch(`${world.service.managementUrl}${path}`)).status).toBe(404);
});
