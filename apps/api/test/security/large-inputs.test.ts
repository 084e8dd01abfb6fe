import { randomUUID } from 'node:crypto';
import { newCity, newOrganization, newState, saoPaulo } from '@profile-service/contracts/examples';
import { expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import { largeOrganization, linkedOrganization } from '../support/organizations.ts';
import { useWorld } from '../support/world.ts';
import { send } from '../transports/request.ts';

const world = useWorld();

// packages/contracts/test/bounds.test.ts checks that every list has a limit.
test('a list in an input is accepted up to its limit', async () => {
  const many = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);
  const { id } = await world.tenant();
  const member = await world.person({ [id]: 'viewer' });
  await world.create('POST /api/states', { ...newState(), stateCode: saoPaulo.stateCode });
  await world.create('POST /api/cities', { ...newCity(), ibgeCode: saoPaulo.cityCode });
  const contacts = (count: number) => many(count, () => ({ type: 'PHONE', value: '1' }));
  const lists: [target: string, limit: number, input: (count: number) => object, accepted: string | number][] = [
    [`PUT /api/tenants/${id}`, 1_000, (count) => ({ allowedScopes: many(count, () => 'read') }), 200],
    ['POST /api/organizations', 1_000, (count) => ({ ...newOrganization(world), contacts: contacts(count) }), 201],
    [
      `PUT /api/users/${member.id}/tenants/${id}/organizations`,
      25_000,
      (count) => ({ scope: 'RESTRICTED', organizationIds: many(count, randomUUID) }),
      'ORGANIZATION_NOT_LINKED_TO_TENANT',
    ],
  ];
  for (const [target, limit, input, accepted] of lists) {
    expect(outcome(await world.call(world.global, target, input(limit)))).toBe(accepted);
    expect(outcome(await world.call(world.global, target, input(limit + 1)))).toBe('VALIDATION_FAILED');
  }
});

test('a batch returns at most 16 MiB, or one larger response, and changes only what it returns', async () => {
  const mib = 1024 * 1024;
  const { id: tenantId } = await world.tenant();
  const { token } = await world.person({ [tenantId]: 'tenant-admin' });
  const [large, medium] = [await largeOrganization(world, tenantId, 17 * mib), await largeOrganization(world, tenantId, 6 * mib)];
  // Runs the calls of a batch one after the other.
  const { url } = await world.another({ DATABASE_POOL_MAX: '2' }, { tenantLimits: { waitMs: 60_000 } });
  /** The details of the problems of the calls, undefined for a success. */
  const call = async (method: 'GET' | 'POST', procedure: string, each: object[]) => {
    const inputs = JSON.stringify(Object.fromEntries(each.entries()));
    const [query, body] = method === 'GET' ? [`&input=${encodeURIComponent(inputs)}`, {}] : ['', { body: inputs }];
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const { text } = await send(url, `${method} /trpc/${each.map(() => procedure).join()}?batch=1${query}`, { headers, ...body });
    const calls = JSON.parse(text) as { error?: { data: { problem: { detail: string } } } }[];
    return calls.map(({ error }) => error?.data.problem.detail);
  };
  const read = await call('GET', 'organizations.get', [{ id: medium }, { id: medium }, { id: medium }]);
  expect(read.toSorted()).toEqual([expect.stringContaining('limited to 16777216 bytes'), undefined, undefined]);
  expect(await call('GET', 'organizations.get', [{ id: large }])).toEqual([undefined]);

  const ids = [large, ...(await Promise.all([1, 2, 3, 4].map(() => linkedOrganization(world, tenantId))))];
  const inputs = ids.map((id) => ({ id, name: 'Changed' }));
  const details = await call('POST', 'organizations.update', inputs);
  const changed = await world.sql<{ id: string }>("select id from organizations where name = 'Changed'");
  expect(changed.map(({ id }) => id).toSorted()).toEqual(ids.filter((_, index) => !details[index]).toSorted());
  expect(details).toContainEqual(expect.stringContaining('limited to 16777216 bytes'));
});
