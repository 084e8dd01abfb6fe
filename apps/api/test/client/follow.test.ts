import { createProfileClient, type FollowedEvent } from '@profile-service/client';
import { expect, onTestFinished, test } from 'vitest';
import { linkTo, organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { Tenant } from '../support/people.ts';

const world = useWorldWithMap();

/** A client of the tenant's application that reaches the instance at `current.url`. */
function applicationOf(tenant: Tenant, current: { url: string }) {
  const fetch = (url: unknown, init?: RequestInit) => globalThis.fetch(String(url).replace('http://instance', current.url), init);
  return createProfileClient({ url: 'http://instance', token: tenant.service.token, fetch }).service;
}

/** Collects the events of a loop until the test ends. */
function collect(events: AsyncIterable<FollowedEvent>, abort: AbortController) {
  const seen: FollowedEvent[] = [];
  const ended = (async () => {
    for await (const event of events) seen.push(event);
  })();
  ended.catch(() => undefined);
  onTestFinished(() => abort.abort());
  return { seen, ended };
}

// Rules: EVENTS-6
test('follow gets each event once, in order, although the instance stops while it waits', async () => {
  const tenant = await world.tenant();
  const first = await world.another();
  const current = { url: first.url };
  const application = applicationOf(tenant, current);
  const { nextCursor: cursor } = await application.events.list.query({ startDate: '2100-01-01' });
  const abort = new AbortController();
  const { seen, ended } = collect(
    application.events.follow({ cursor, types: ['organization.created'], limit: 2, signal: abort.signal }),
    abort,
  );
  const created: string[] = [];
  const createThree = async () => {
    for (let count = 0; count < 3; count += 1) created.push((await organizationOf(world, tenant)).id);
  };
  await createThree();
  await expect.poll(() => seen).toHaveLength(3);
  await first.stop();
  await createThree();
  current.url = world.service.url;
  await createThree();
  await expect.poll(() => seen).toHaveLength(9);
  expect(seen.map(({ record }) => record.id)).toEqual(created);
  abort.abort();
  await ended;

  // Each cursor skips no event.
  for (const [index, { cursor: from }] of seen.slice(0, -1).entries()) {
    const rest: string[] = [];
    for await (const { record } of application.events.follow({ cursor: from, types: ['organization.created'] }))
      if (rest.push(record.id) && record.id === created.at(-1)) break;
    expect(rest).toEqual(expect.arrayContaining(created.slice(index + 1)));
  }
});

test('a long poll does not hold up other calls, and a later link is an event', async () => {
  const tenant = await world.tenant();
  const application = applicationOf(tenant, world.service);
  const { nextCursor: cursor } = await application.events.list.query({ startDate: '2100-01-01' });
  const abort = new AbortController();
  const { seen } = collect(application.events.follow({ cursor, signal: abort.signal }), abort);
  const [{ total }] = await Promise.all([application.organizations.list.query(), application.documents.list.query()]);
  expect([total, seen]).toEqual([0, []]);
  await linkTo(world, tenant, (await organizationOf(world)).id);
  await expect.poll(() => seen.at(-1)?.type).toBe('organizationLink.created');
});

test('follow throws the error when the membership ends, and when the cursor has expired', async () => {
  const { id: tenantId } = await world.tenant();
  const member = await world.person({ [tenantId]: 'tenant-admin' });
  const client = createProfileClient({ url: world.service.url, token: member.token, tenantId });
  const { nextCursor: cursor } = await client.events.list.query({ startDate: '2100-01-01' });
  const abort = new AbortController();
  const { ended } = collect(client.events.follow({ cursor, signal: abort.signal }), abort);
  const expired = collect(client.events.follow({ cursor: Buffer.from('1.1.1').toString('base64url'), signal: abort.signal }), abort);
  await expect(expired.ended).rejects.toMatchObject({ name: 'ProfileError', code: 'EVENT_CURSOR_EXPIRED', status: 410 });
  await world.call(world.global, `DELETE /api/users/${member.id}/tenants/${tenantId}`);
  await expect(ended).rejects.toMatchObject({ name: 'ProfileError', code: 'TENANT_NOT_ALLOWED', status: 403 });
});
