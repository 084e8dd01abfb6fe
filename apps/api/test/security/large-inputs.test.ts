import { randomUUID } from 'node:crypto';
import { endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import document from '../../openapi.json' with { type: 'json' };
import { largeOrganization, newOrganization, startWorldWithMap } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import type { World } from '../support/world.ts';
import { send, type Wire } from '../transports/request.ts';

let world: World;
beforeAll(async () => (world = await startWorldWithMap()));
afterAll(() => world.stop());

type Schema = { $ref?: string; type?: string; maxItems?: number; properties?: Record<string, Schema>; anyOf?: Schema[]; items?: Schema };
const named = document.components.schemas as unknown as Record<string, Schema>;

/** Every list in a schema, by its path. */
function listsIn(schema: Schema, path: string): { path: string; maxItems: number | undefined }[] {
  const { type, maxItems, items, anyOf = [], properties = {} } = named[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  return [
    ...(type === 'array' ? [{ path, maxItems }] : []),
    ...Object.entries(properties).flatMap(([name, property]) => listsIn(property, `${path}.${name}`)),
    ...[...anyOf, items ?? []].flat().flatMap((each) => listsIn(each, path)),
  ];
}
const operations = document.paths as unknown as Record<
  string,
  Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>
>;
const lists = endpoints.flatMap(({ name, endpoint }) =>
  Object.values(operations[endpoint.path]?.[endpoint.method.toLowerCase()]?.requestBody?.content ?? {}).flatMap(({ schema }) =>
    listsIn(schema, name),
  ),
);

describe('a list in an input', () => {
  test('has a limit in every schema', () => {
    expect(lists.length).toBeGreaterThan(3);
    expect(lists.filter(({ maxItems }) => maxItems === undefined)).toEqual([]);
  });

  const many = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);
  const scopes = (count: number) => ({ allowedScopes: many(count, () => 'read') });
  const contacts = (count: number) => ({ ...newOrganization(world), contacts: many(count, () => ({ type: 'PHONE', value: '1' })) });

  test('is accepted up to its limit', async () => {
    const { id } = await world.tenant();
    expect((await world.call(world.global, `PUT /api/tenants/${id}`, scopes(1_000))).status).toBe(200);
    expect((await world.call(world.global, `PUT /api/tenants/${id}`, scopes(1_001))).code).toBe('VALIDATION_FAILED');
    expect((await world.call(world.global, 'POST /api/organizations', contacts(1_000))).status).toBe(201);
    expect((await world.call(world.global, 'POST /api/organizations', contacts(1_001))).code).toBe('VALIDATION_FAILED');
    const member = await world.person({ [id]: 'viewer' });
    const grants = (count: number) => ({ scope: 'RESTRICTED', organizationIds: many(count, randomUUID) });
    const target = `PUT /api/users/${member.id}/tenants/${id}/organizations`;
    expect((await world.call(world.global, target, grants(25_000))).code).toBe('ORGANIZATION_NOT_LINKED_TO_TENANT');
    expect((await world.call(world.global, target, grants(25_001))).code).toBe('VALIDATION_FAILED');
  });
});

describe('a batch', () => {
  const headers = { 'content-type': 'application/json' };
  const batch = async (calls: number) => {
    const names = Array.from({ length: calls }, () => 'apps.create').join();
    const inputs = Object.fromEntries(Array.from({ length: calls }, (_, index) => [index, { name: `Batch of ${calls}: ${index}` }]));
    const wire = { headers: { ...headers, authorization: `Bearer ${world.global.token}` }, body: JSON.stringify(inputs) };
    return send(world.service.url, `POST /trpc/${names}?batch=1`, wire);
  };
  const made = async (calls: number) => (await world.sql('select 1 from apps where name like $1', [`Batch of ${calls}:%`])).length;

  test('has at most 100 calls, and none runs if there are more', async () => {
    expect([(await batch(100)).status, await made(100)]).toEqual([200, 100]);
    expect([(await batch(101)).status, await made(101)]).toEqual([400, 0]);
  });

  describe('with large responses', () => {
    const mib = 1024 * 1024;
    let actor: Person;
    let ids: string[];
    beforeAll(async () => {
      const { id } = await world.tenant();
      actor = await world.person({ [id]: 'tenant-admin' });
      ids = await Promise.all([20, 7, 7, 7, 7, 7, 7].map((size) => largeOrganization(world, id, size * mib)));
    });
    const ask = async (target: string, wire: Wire = {}) => {
      const { text } = await send(world.service.url, target, { ...wire, headers: { ...headers, authorization: `Bearer ${actor.token}` } });
      const calls = JSON.parse(text) as { error?: { data: { problem: { code: string; detail: string } } } }[];
      return calls.map(({ error }) => error?.data.problem);
    };
    const inputs = (each: object[]) => JSON.stringify(Object.fromEntries(each.map((input, index) => [index, input])));
    const names = (name: string, count: number) => Array.from({ length: count }, () => name).join();
    const get = (each: string[]) =>
      ask(`GET /trpc/${names('organizations.get', each.length)}?batch=1&input=${encodeURIComponent(inputs(each.map((id) => ({ id }))))}`);

    test('returns at most 16 MiB, or one larger response', async () => {
      const [, ...sevens] = ids;
      const answers = await get(sevens);
      expect(answers.filter((problem) => problem === undefined)).toHaveLength(2);
      expect(answers.find((problem) => problem)).toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        detail: expect.stringContaining('16777216 bytes together') as string,
      });
      expect(await get(ids.slice(0, 1))).toEqual([undefined]);
      expect((await get([ids[0]!, ids[1]!, ids[0]!])).filter((problem) => problem === undefined)).toHaveLength(1);
    });

    test('changes only what it returns', async () => {
      const body = inputs(ids.map((id) => ({ id, name: 'Changed' })));
      const answers = await ask(`POST /trpc/${names('organizations.update', ids.length)}?batch=1`, { body });
      const changed = await world.sql<{ id: string }>("select id from organizations where name = 'Changed'");
      expect(changed.map(({ id }) => id).toSorted()).toEqual(ids.filter((_, index) => !answers[index]).toSorted());
      expect(answers.map((problem) => problem?.code)).toContain('PAYLOAD_TOO_LARGE');
    });
  });

  test('is split by the typed client', async () => {
    const client = world.client(world.global);
    const answers = await Promise.all(Array.from({ length: 250 }, () => client.apps.list.query({ limit: 1 })));
    expect(answers).toHaveLength(250);
  });
});
