import { createTRPCClient, httpSubscriptionLink } from '@trpc/client';
import type { ProfileRouter } from '@profile-service/client';
import { EventSource } from 'eventsource';
import { describe, expect, test } from 'vitest';
import { startProxy } from '../../../../test/proxy.ts';
import { type Actor, headersOf } from '../support/call.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { openStream } from './stream-client.ts';

const world = useWorldWithMap();

const rename = (organizationId: string, alias: string) => world.call(world.global, `PUT /api/organizations/${organizationId}`, { alias });
const streamOf = (actor: Actor, query = '', headers: Record<string, string> = {}, url = world.service.url) =>
  openStream(`${url}/service/events/stream${query}`, actor, headers);

/** A tenant with an organization whose creation is visible to readers. */
async function tenantWithOrganization() {
  const tenant = await world.tenant();
  const { id } = await organizationOf(world, tenant);
  const list = () => world.call<{ data: unknown[]; nextCursor: string }>(tenant.service, 'GET /service/events');
  await expect.poll(async () => (await list()).body.data.length).toBe(1);
  return { tenant, id, cursor: (await list()).body.nextCursor };
}

// Rules: STREAMS-1, STREAMS-2
describe('a stream', () => {
  test('starts now, and has the id, the type and the JSON of each event', async () => {
    const { tenant, id } = await tenantWithOrganization();
    const stream = await streamOf(tenant.service);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    await rename(id, 'one');
    await rename(id, 'two');
    await expect.poll(stream.events).toHaveLength(2);
    const [retry, first, second] = stream.messages;
    expect(retry).toEqual({ retry: '2000' });
    expect([first?.event, second?.event]).toEqual(['organization.updated', 'organization.updated']);
    const { body } = await world.call<{ data: unknown[] }>(tenant.service, `GET /service/events?cursor=${first?.id}`);
    expect(body.data).toEqual([JSON.parse(second?.data ?? '')]);
  });

  test('continues after Last-Event-ID, whatever cursor and startDate say', async () => {
    const { tenant, id, cursor } = await tenantWithOrganization();
    await rename(id, 'one');
    const stream = await streamOf(tenant.service, '?startDate=2020-01-01', { 'last-event-id': cursor });
    await expect.poll(stream.events).toMatchObject([{ type: 'organization.updated' }]);
    const fromStart = await streamOf(tenant.service, '?startDate=2020-01-01&types=organization.created');
    await expect.poll(fromStart.events).toMatchObject([{ type: 'organization.created' }]);
    expect((await streamOf(tenant.service, '', { 'last-event-id': 'none' })).response.status).toBe(400);
  });

  // Rules: STREAMS-3, STREAMS-4
  test('has the position of other events while it is quiet, and ends after its time', async () => {
    const [{ tenant }, other] = [await tenantWithOrganization(), await tenantWithOrganization()];
    const instance = await world.another({}, { eventStreamTimes: { positionMs: 100, accessMs: 50, lifetimeMs: 4_000 } });
    const stream = await streamOf(tenant.service, '', {}, instance.url);
    await rename(other.id, 'one');
    const last = await world.call<{ nextCursor: string }>(other.tenant.service, 'GET /service/events?wait=5&types=organization.updated');
    await expect.poll(() => stream.messages.map(({ id }) => id)).toContain(last.body.nextCursor);
    expect(stream.messages.slice(1).every(({ data, event }) => data === undefined && event === undefined)).toBe(true);
    await stream.ended(10);
  });

  // Rules: STREAMS-5
  test('ends when the membership is revoked, and when the token expires', async () => {
    const { tenant } = await tenantWithOrganization();
    const admin = await world.person({ [tenant.id]: 'tenant-admin' });
    const stream = await openStream(`${world.service.url}/api/events/stream`, admin);
    expect((await world.call(world.global, `DELETE /api/users/${admin.id}/tenants/${tenant.id}`)).status).toBe(204);
    await stream.ended(6);
    const claims = { exp: Math.floor(Date.now() / 1000) + 3 };
    const expiring = await openStream(`${world.service.url}/service/events/stream`, {
      token: await world.serviceToken(tenant.clientId, claims),
    });
    expect(expiring.response.status).toBe(200);
    await expiring.ended(10);
  });

  // Rules: EVENTS-12
  test('has what its own reader may see, when others read the same place at the same time', async () => {
    const { tenant } = await tenantWithOrganization();
    const { id } = await world.person({ [tenant.id]: 'viewer' });
    const readers = {
      application: await streamOf(tenant.service),
      global: await openStream(`${world.service.url}/api/events/stream`, world.global),
    };
    for (let count = 0; count < 5; count += 1) await world.call(world.global, `PUT /api/users/${id}`, { name: `Name ${count}` });
    const fieldsOf = ({ events }: typeof readers.global) =>
      events().flatMap(({ type, data }) => (type === 'user.updated' ? [Object.keys(data).length] : []));
    await expect.poll(() => fieldsOf(readers.application)).toEqual(Array.from({ length: 5 }, () => 5));
    await expect
      .poll(() => fieldsOf(readers.global))
      .toEqual(Array.from({ length: 5 }, () => expect.toSatisfy((fields: number) => fields > 5)));
  });

  // Rules: STREAMS-4
  test('ends when the service stops', async () => {
    const { tenant } = await tenantWithOrganization();
    const instance = await world.another();
    const stream = await streamOf(tenant.service, '', {}, instance.url);
    const stopped = instance.stop();
    await expect(stream.ended(3)).resolves.toBeUndefined();
    await stopped;
  });

  // Rules: STREAMS-6, STREAMS-7
  test('is counted for its tenant until it is closed', async () => {
    const [{ tenant }, other] = [await tenantWithOrganization(), await tenantWithOrganization()];
    const instance = await world.another({ EVENT_STREAMS_PER_TENANT: '1' });
    const first = await streamOf(tenant.service, '', {}, instance.url);
    const second = await streamOf(tenant.service, '', {}, instance.url);
    expect([second.response.status, second.response.headers.get('retry-after')]).toEqual([429, '5']);
    expect(second.response.headers.get('content-type')).toBe('application/problem+json');
    expect((await streamOf(other.tenant.service, '', {}, instance.url)).response.status).toBe(200);
    first.close();
    await expect.poll(async () => (await streamOf(tenant.service, '', {}, instance.url)).response.status).toBe(200);
  });

  // Rules: STREAMS-9
  test('stays open while the database is unreachable, and continues afterwards', async () => {
    const { tenant, id } = await tenantWithOrganization();
    const proxy = await startProxy(world.databaseUrl);
    const instance = await world.another({ DATABASE_URL: proxy.url });
    const stream = await streamOf(tenant.service, '', {}, instance.url);
    proxy.cut();
    await rename(id, 'during the outage');
    await expect.poll(async () => (await fetch(`${instance.url}/health/ready`)).status).toBe(503);
    proxy.forward();
    await expect.poll(stream.events, { timeout: 20_000 }).toMatchObject([{ type: 'organization.updated' }]);
    await proxy.stop();
  });
});

// Rules: STREAMS-10
describe('over tRPC', () => {
  const eventSourceOf = (actor: Actor) =>
    class extends EventSource {
      constructor(url: string | URL) {
        super(url, { fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headersOf(actor) } }) });
      }
    };
  const clientOf = (actor: Actor, url = world.service.url) =>
    createTRPCClient<ProfileRouter>({ links: [httpSubscriptionLink({ url: `${url}/trpc`, EventSource: eventSourceOf(actor) })] });

  test('a subscription has tracked events, and continues after the last one when the connection breaks', async () => {
    const { tenant, id } = await tenantWithOrganization();
    const proxy = await startProxy(world.service.url);
    const received: unknown[] = [];
    const subscription = clientOf(tenant.service, new URL(proxy.url).origin).service.events.stream.subscribe(
      { types: ['organization.updated'] },
      { onData: ({ data }) => received.push(data.data['alias']) },
    );
    let count = 0;
    await expect.poll(() => rename(id, `alias ${(count += 1)}`).then(() => received.length), { interval: 300 }).toBeGreaterThan(0);
    proxy.cut();
    await rename(id, 'while the connection is broken');
    proxy.forward();
    await expect.poll(() => received.at(-1), { timeout: 10_000 }).toBe('while the connection is broken');
    expect(new Set(received).size).toBe(received.length);
    subscription.unsubscribe();
    await proxy.stop();
  });

  test('an error ends the subscription, and is a tRPC error with the problem document', async () => {
    const tenant = await world.tenant();
    const viewer = await world.person({ [tenant.id]: 'viewer' });
    const errorOf = (actor: Actor, input?: { cursor: string }) =>
      new Promise((resolve) => clientOf(actor).events.stream.subscribe(input, { onError: resolve }));
    expect(await errorOf(viewer)).toMatchObject({ data: { httpStatus: 403, problem: { code: 'NOT_ALLOWED' } } });
    const expired = { httpStatus: 410, problem: { code: 'EVENT_CURSOR_EXPIRED' } };
    expect(await errorOf(world.global, { cursor: 'MS4xLjE' })).toMatchObject({ data: expired });
    const batch = await fetch(`${world.service.url}/trpc/events.stream?batch=1`, { headers: headersOf(viewer) });
    expect(batch.status).toBe(400);
  });
});
