import { randomUUID } from 'node:crypto';
import { newCity, newOrganization, newState, saoPaulo } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { outcome } from '../support/api.ts';
import { largeOrganization, linkedOrganization } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { useWorld } from '../support/world.ts';
import { send, type Wire } from '../transports/request.ts';

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

describe('a batch with large responses', () => {
  const mib = 1024 * 1024;
  let service: Service;
  let actor: Person;
  let tenantId: string;
  let large: string;
  beforeAll(async () => {
    tenantId = (await world.tenant()).id;
    actor = await world.person({ [tenantId]: 'tenant-admin' });
    large = await largeOrganization(world, tenantId, 17 * mib);
    // Runs the calls of a batch one after the other.
    service = await world.another({ DATABASE_POOL_MAX: '2' }, { tenantLimits: { waitMs: 60_000 } });
  });
  const ask = async (target: string, wire: Wire = {}) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${actor.token}` };
    const { text } = await send(service.url, target, { ...wire, headers });
    const calls = JSON.parse(text) as { error?: { data: { problem: { code: string; detail: string } } } }[];
    return calls.map(({ error }) => error?.data.problem);
  };
  const inputs = (each: object[]) => JSON.stringify(Object.fromEntries(each.map((input, index) => [index, input])));
  const names = (name: string, count: number) => Array.from({ length: count }, () => name).join();
  const get = (ids: string[]) =>
    ask(`GET /trpc/${names('organizations.get', ids.length)}?batch=1&input=${encodeURIComponent(inputs(ids.map((id) => ({ id }))))}`);

  test('returns at most 16 MiB, or one larger response', async () => {
    const medium = await largeOrganization(world, tenantId, 6 * mib);
    const answers = await get([medium, medium, medium]);
    expect(answers.filter((problem) => problem === undefined)).toHaveLength(2);
    expect(answers.find((problem) => problem)).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      detail: expect.stringContaining('limited to 16777216 bytes') as string,
    });
    expect(await get([large])).toEqual([undefined]);
  });

  test('changes only what it returns', async () => {
    const small = await Promise.all(Array.from({ length: 4 }, () => linkedOrganization(world, tenantId)));
    const ids = [large, ...small];
    const body = inputs(ids.map((id) => ({ id, name: 'Changed' })));
    const answers = await ask(`POST /trpc/${names('organizations.update', ids.length)}?batch=1`, { body });
    const changed = await world.sql<{ id: string }>("select id from organizations where name = 'Changed'");
    expect(changed.map(({ id }) => id).toSorted()).toEqual(ids.filter((_, index) => !answers[index]).toSorted());
    expect(answers.map((problem) => problem?.code)).toContain('PAYLOAD_TOO_LARGE');
  });
});
