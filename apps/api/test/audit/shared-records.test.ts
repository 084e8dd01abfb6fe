import { campinas, newOrganization, praca } from '@profile-service/contracts/examples';
import { beforeAll, expect, test } from 'vitest';
import { upload } from '../support/files.ts';
import { linkTo, organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { Person, Tenant } from '../support/people.ts';
import { type Entry, eventsOf, readEntries } from './entries.ts';

/** What a tenant sees of changes that also concern other tenants: of shared records, and of organizations that it shares. */
const world = useWorldWithMap();
let tenant: Tenant;
let foreign: Tenant;
let admin: Person;
let foreignAdmin: Person;
beforeAll(async () => {
  [tenant, foreign] = [await world.tenant(), await world.tenant()];
  admin = await world.person({ [tenant.id]: 'tenant-admin' });
  foreignAdmin = await world.person({ [foreign.id]: 'tenant-admin' });
});

let serial = 0;
/** Sends a request, and returns its entry as the tenant-admin, the application and a Global user see it, and its event. */
async function write(actor: { token: string }, target: string, body?: unknown) {
  const requestId = `shared-${(serial += 1)}`;
  const response = await world.call<{ id: string }>(actor, target, body, { 'x-request-id': requestId });
  expect(response.status).toBeLessThan(300);
  const entryFor = async (reader: { token?: string }, path?: string): Promise<Entry | undefined> =>
    (await readEntries(world, reader, 'limit=100', path)).data.find((entry) => entry.requestId === requestId);
  return {
    id: response.body?.id,
    admin: await entryFor(admin),
    application: await entryFor(tenant.service, '/service/audit-entries'),
    global: await entryFor(world.global),
    event: (await eventsOf(world, requestId))[0],
  };
}

/** A member of the tenant with roles for shared records. */
const keeper = (...roles: string[]) => world.person({ [tenant.id]: 'viewer' }, { roles });

// Rules: AUDIT-24
test('a city that moves to another state shows a tenant only the addresses of its own organizations', async () => {
  const addressIn = async (owner: Tenant) =>
    (await organizationOf(world, owner, { address: { ...praca, ...campinas } })).organizationAddressId;
  const [own, others] = [await addressIn(tenant), await addressIn(foreign)];
  const moved = await write(await keeper('cities:update'), `PUT /api/cities/${campinas.cityCode}`, { stateCode: 41 });

  const ids = (entry?: Entry) => entry?.related.map(({ type, id }) => [type, id]);
  expect(ids(moved.global)).toHaveLength(2);
  expect(ids(moved.admin)).toEqual([['organizationAddress', own]]);
  expect(moved.admin?.related[0]?.changes).toEqual([{ field: 'stateCode', before: 35, after: 41 }]);
  expect(ids(moved.application)).toEqual([['organizationAddress', own]]);
  expect(JSON.stringify([moved.admin, moved.application])).not.toContain(others);
  expect(moved.event).toMatchObject({ type: 'city.updated', organizationId: null, changed: ['stateCode'] });
  expect(JSON.stringify(moved.event)).not.toContain(String(own));
});

// Rules: AUDIT-25
test('the counts of a shared record are shown to Global users without an active tenant only', async () => {
  const member = await world.person({ [tenant.id]: 'viewer', [foreign.id]: 'viewer' });
  const deleted = await write(await keeper('users:delete'), `DELETE /api/users/${member.id}`);
  expect(deleted.global?.cascade).toEqual({ membership: 2 });
  expect(deleted.admin?.cascade).toEqual({});
  expect(deleted.application?.cascade).toEqual({});

  const { id } = await organizationOf(world, tenant);
  expect((await write(admin, `DELETE /api/organizations/${id}`)).admin?.cascade).toMatchObject({ organizationAddress: 1 });
});

// Rules: AUDIT-19, AUDIT-24, AUDIT-26
test('a shared organization does not show which other tenants are linked to it', async () => {
  const body = newOrganization(world);
  const requestId = 'shared-created';
  const made = await world.call<{ id: string }>(foreign.service, 'POST /service/organizations', body, { 'x-request-id': requestId });
  await linkTo(world, tenant, made.body.id);
  const visible = await readEntries(world, admin, `organizationId=${made.body.id}`);
  const created = visible.data.find((entry) => entry.requestId === requestId);
  expect(created?.related.map(({ type }) => type)).toEqual(['organizationAddress']);

  const unlinked = await write(foreign.service, `DELETE /service/organizations/${made.body.id}/tenants`);
  const linkId = `${made.body.id}:${foreign.id}`;
  expect(unlinked.global?.record.id).toBe(linkId);
  expect(unlinked.admin?.record).toEqual({ type: 'organizationLink', id: null });
  expect((await readEntries(world, admin, `recordId=${linkId}`)).data).toEqual([]);
  expect((await readEntries(world, foreignAdmin, `recordId=${linkId}`)).data).toHaveLength(1);
  const { data } = await readEntries(world, admin, `organizationId=${made.body.id}`);
  expect(JSON.stringify(data)).not.toContain(foreign.id);
});

// Rules: AUDIT-27
test('an attachment that moves to a shared organization does not show where it was before', async () => {
  const [shared, others] = [await organizationOf(world, tenant), await organizationOf(world, foreign)];
  await linkTo(world, foreign, shared.id);
  const { body: file } = await upload(world, foreignAdmin, { entityId: others.id });
  const moved = await write(foreignAdmin, `PUT /api/attachments/${file.id}`, { entityId: shared.id });
  expect(moved.global?.changes).toEqual([{ field: 'entityId', before: others.id, after: shared.id }]);
  expect(moved.admin).toMatchObject({ record: { type: 'attachment', id: file.id }, changes: null });
  expect(moved.application?.changes).toBeNull();
});
