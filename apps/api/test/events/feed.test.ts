import { setTimeout as pause } from 'node:timers/promises';
import { endpoints } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { untilReadable } from '../support/events.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { openWriter } from '../../../../packages/db/test/journal/writer.ts';

const world = useWorldWithMap();

interface List {
  data: { id: string; type: string; record: { id: string }; occurredAt: string; data: Record<string, unknown> }[];
  nextCursor: string;
  hasMore: boolean;
}

const read = async (actor: Actor, query: Record<string, string | number> = {}, path = '/service/events') => {
  const { status, body } = await world.call<List>(actor, `GET ${path}?${new URLSearchParams(query as Record<string, string>).toString()}`);
  return { status, ...body };
};

/** A transaction of any database of the server delays events. */
const readUntil = async (actor: Actor, query: Record<string, string | number>, count: number) => {
  await expect.poll(async () => (await read(actor, query)).data.length).toBeGreaterThanOrEqual(count);
  return read(actor, query);
};

const now = async (actor: Actor) => (await read(actor, { startDate: new Date(Date.now() + 60_000).toISOString() })).nextCursor;

/** The cursor of the present, after readers get the creation of the organization. */
async function visible(actor: Actor, organizationId: string) {
  await expect.poll(async () => (await read(actor, { organizationId, types: 'organization.created' })).data.length).toBe(1);
  return now(actor);
}

const rename = (organizationId: string, alias: string) => world.call(world.global, `PUT /api/organizations/${organizationId}`, { alias });

// Rules: EVENTS-6, EVENTS-7, EVENTS-14, EVENTS-15
test('a reader that follows nextCursor gets each event once and in order, whatever the size of the pages and the filters are', async () => {
  const tenant = await world.tenant();
  const cursor = await now(tenant.service);
  const { id } = await organizationOf(world, tenant);
  for (let count = 0; count < 5; count += 1) await rename(id, `alias ${count}`);
  const all = await readUntil(tenant.service, { cursor }, 6);
  expect(all.data.map(({ type }) => type)).toEqual(['organization.created', ...Array.from({ length: 5 }, () => 'organization.updated')]);
  expect(all.hasMore).toBe(false);
  const found: string[] = [];
  let next = cursor;
  for (let hasMore = true; hasMore;) {
    const page = await read(tenant.service, { cursor: next, limit: 2 });
    found.push(...page.data.map((event) => event.id));
    ({ nextCursor: next, hasMore } = page);
  }
  expect(found).toEqual(all.data.map((event) => event.id));
  // The cursor of one caller and filter continues for another one.
  const [, second] = all.data;
  const { nextCursor } = await read(tenant.service, { cursor, limit: 2 });
  const rest = await read(world.global, { cursor: nextCursor, types: 'organization.*', organizationId: id }, '/api/events');
  expect(rest.data.map((event) => event.id)).toEqual(found.slice(2));
  expect(rest.data.map((event) => event.id)).not.toContain(second?.id);
  const oldest = await read(world.global, { limit: 1 }, '/api/events');
  expect(oldest.data).toMatchObject([{ type: 'user.created', actor: { kind: 'SYSTEM', id: null } }]);
});

// Rules: EVENTS-17
test('startDate starts with the first event at or after it, and in the future with the present', async () => {
  const tenant = await world.tenant();
  const { id } = await organizationOf(world, tenant);
  await rename(id, 'first');
  await untilReadable(world);
  const before = await now(tenant.service);
  const { data } = await readUntil(tenant.service, {}, 2);
  const [, renamed] = data;
  const from = await read(tenant.service, { startDate: renamed?.occurredAt ?? '' });
  expect(from.data.map((event) => event.id)).toEqual([renamed?.id]);
  expect(await read(tenant.service, { startDate: '9999-12-31' })).toEqual({ status: 200, data: [], nextCursor: before, hasMore: false });
  await rename(id, 'second');
  expect((await readUntil(tenant.service, { cursor: before }, 1)).data).toMatchObject([{ data: { alias: 'second' } }]);
  expect((await read(tenant.service, { cursor: before, startDate: '2020-01-01' })).status).toBe(400);
});

// Rules: EVENTS-21
describe('wait', () => {
  test('returns as soon as there is an event for the reader, and not for the events of others', async () => {
    const [tenant, other] = [await world.tenant(), await world.tenant()];
    const [mine, others] = [await organizationOf(world, tenant), await organizationOf(world, other)];
    const cursor = (await readUntil(tenant.service, {}, 1)).nextCursor;
    let hasReturned = false;
    const waiting = read(tenant.service, { cursor, wait: 30 }).finally(() => (hasReturned = true));
    await rename(others.id, 'not for the reader');
    await readUntil(other.service, { types: 'organization.updated' }, 1);
    expect(hasReturned).toBe(false);
    await rename(mine.id, 'for the reader');
    expect((await waiting).data).toMatchObject([{ record: { id: mine.id }, data: { alias: 'for the reader' } }]);
  });

  test('returns an empty page after the time, with the cursor of the present', async () => {
    const [tenant, other] = [await world.tenant(), await world.tenant()];
    const others = await organizationOf(world, other);
    const { nextCursor: cursor } = await read(tenant.service);
    const waiting = read(tenant.service, { cursor, wait: 2 });
    await rename(others.id, 'not for the reader');
    const page = await waiting;
    expect(page).toMatchObject({ data: [], hasMore: false });
    expect(page.nextCursor).not.toBe(cursor);
    expect((await read(tenant.service, { cursor: page.nextCursor })).data).toEqual([]);
  });

  test('checks access again before it returns', async () => {
    const tenant = await world.tenant();
    const admin = await world.person({ [tenant.id]: 'tenant-admin' });
    const { id } = await organizationOf(world, tenant);
    await untilReadable(world);
    const { nextCursor: cursor } = await read(admin, { startDate: '9999-12-31' }, '/api/events');
    const waiting = read(admin, { cursor, wait: 30 }, '/api/events');
    // Its first read, with the access of before, is over by then.
    await pause(1_000);
    await world.create(`POST /api/users/${admin.id}/tenants`, { tenantId: tenant.id, persona: 'viewer' });
    await rename(id, 'secret');
    expect((await waiting).status).toBe(403);
  });

  test('ends when the service stops', async () => {
    const tenant = await world.tenant();
    const instance = await world.another();
    const { nextCursor: cursor } = await read(tenant.service);
    const waiting = instance.call<List>(tenant.service, `GET /service/events?cursor=${cursor}&wait=30`);
    // Nothing shows from outside that the request waits.
    await pause(1_000);
    await instance.stop();
    expect((await waiting).body).toMatchObject({ data: [], hasMore: false });
  });
});

// Rules: EVENTS-7
test('an event is visible when all transactions that started before its own have ended', async () => {
  const tenant = await world.tenant();
  const { id } = await organizationOf(world, tenant);
  const { nextCursor: cursor } = await readUntil(tenant.service, {}, 1);
  const older = await openWriter(world.databaseUrl);
  await older.beginWithId();
  await rename(id, 'younger');
  expect((await read(tenant.service, { cursor, wait: 1 })).data).toEqual([]);
  await older.sql('commit');
  expect((await readUntil(tenant.service, { cursor }, 1)).data).toMatchObject([{ data: { alias: 'younger' } }]);
});

test('every type of the filters of events is accepted over REST and tRPC', async () => {
  const list = endpoints.find(({ name }) => name === 'events.list')?.endpoint;
  expect(list).toBeDefined();
  const client = world.client(world.global);
  expect((await client.events.list.query({ types: ['user.*', 'organization.created'], limit: 1 })).data).toHaveLength(1);
  expect((await client.events.list.query({ types: ['*'], limit: 2 })).data).toHaveLength(2);
});

// Rules: EVENTS-8
test('a page ends after 8 MiB of data', async () => {
  const tenant = await world.tenant();
  const { id } = await organizationOf(world, tenant);
  const cursor = await visible(tenant.service, id);
  await world.sql(`
    insert into journal (id, occurred_at, actor_kind, operation, organization_id, record_type, record_id, former, state, epoch, transaction_id, sequence)
    select gen_random_uuid(), occurred_at, actor_kind, operation, organization_id, record_type, record_id, former,
      state || jsonb_build_object('metadata', jsonb_build_object('text', repeat('x', 1048576))), epoch, transaction_id, nextval('journal_sequence')
    from (select * from journal where record_id = '${id}' order by occurred_at desc limit 1) as latest, generate_series(1, 10)`);
  const first = await readUntil(tenant.service, { cursor }, 1);
  expect([first.data.length, first.hasMore]).toEqual([8, true]);
  expect((await read(tenant.service, { cursor: first.nextCursor })).data).toHaveLength(2);
});

// Rules: EVENTS-8
test('a page compares a bounded number of events, and may be empty while there are more', async () => {
  const [tenant, other] = [await world.tenant(), await world.tenant()];
  const { id } = await organizationOf(world, other);
  const cursor = await now(tenant.service);
  await rename(id, 'template');
  await readUntil(other.service, { cursor }, 1);
  // As many events of another tenant as a read compares. Their transaction is that of a later event.
  await world.sql(`
    insert into journal (id, occurred_at, actor_kind, operation, tenant_id, organization_id, record_type, record_id, former, state, epoch, transaction_id, sequence)
    select gen_random_uuid(), occurred_at, actor_kind, operation, tenant_id, organization_id, record_type, record_id, former, state, epoch, transaction_id, nextval('journal_sequence')
    from (select * from journal where record_id = '${id}' order by occurred_at desc limit 1) as latest, generate_series(1, 5000)`);
  const mine = await organizationOf(world, tenant);
  const first = await read(tenant.service, { cursor, limit: 1 });
  expect(first).toMatchObject({ data: [], hasMore: true });
  const second = await readUntil(tenant.service, { cursor: first.nextCursor }, 1);
  expect(second).toMatchObject({ data: [{ record: { id: mine.id } }], hasMore: false });
});
