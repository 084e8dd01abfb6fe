import { campinas, newOrganization, praca } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { upload } from '../support/files.ts';
import { linkTo, organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import type { Tenant } from '../support/people.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { type Entry, eventsOf, readEntries } from './entries.ts';

/** What single entries contain, and what a tenant sees of changes that also concern other tenants. */
const world = useWorldWithMap();
const [tenant, foreign] = [useTenant(world), useTenant(world)];
const [admin, foreignAdmin] = [useMember(world, tenant, 'tenant-admin'), useMember(world, foreign, 'tenant-admin')];

let serial = 0;
/** Sends a request. Returns its entry as a Global user, the tenant-admin and the application see it, and its event. */
async function write(actor: { token?: string }, target: string, body?: unknown) {
  const requestId = `contents-${(serial += 1)}`;
  const response = await world.call<{ id: string }>(actor, target, body, { 'x-request-id': requestId });
  expect(response.status).toBeLessThan(300);
  const entryFor = async (reader: { token?: string }, path?: string): Promise<Entry | undefined> =>
    (await readEntries(world, reader, 'limit=100', path)).data.find((entry) => entry.requestId === requestId);
  return {
    id: response.body?.id,
    entry: await entryFor(world.global),
    admin: await entryFor(admin),
    application: await entryFor(tenant.service, '/service/audit-entries'),
    event: (await eventsOf(world, requestId))[0],
  };
}
const fieldsOf = (entry?: Entry) => entry?.changes?.map(({ field }) => field);

describe('the values', () => {
  // Rules: AUDIT-7
  test('over 8 KiB are replaced by their size, before and after', async () => {
    const { id } = await organizationOf(world, tenant);
    const metadata = (letter: string) => ({ text: letter.repeat(9_000), small: 1 });
    const first = await write(admin, `PUT /api/organizations/${id}`, { metadata: metadata('a'), alias: 'A' });
    const omitted = { omitted: JSON.stringify(metadata('a')).length + 3 };
    expect(first.entry?.changes).toEqual([
      { field: 'alias', before: null, after: 'A' },
      { field: 'metadata', before: null, after: omitted },
    ]);
    const second = await write(admin, `PUT /api/organizations/${id}`, { metadata: metadata('b') });
    expect(second.entry?.changes).toEqual([{ field: 'metadata', before: omitted, after: omitted }]);
    expect(second.event?.data['metadata']).toEqual(metadata('b'));
  });

  // Rules: AUDIT-5, AUDIT-7
  test('never contain the content of a file, or fields that are null before and after', async () => {
    const { body } = await upload(world, admin, { description: 'D' });
    const { data } = await readEntries(world, world.global, `recordId=${body.id.toUpperCase()}`);
    const stored = ['createdAt', 'description', 'entityType', 'external', 'filePath', 'id', 'originalFilename', 'userId'];
    expect(fieldsOf(data[0])).toEqual(stored.toSorted());
    const customer = { federalTaxId: world.newTaxId(), name: 'Central', alias: null };
    expect(fieldsOf((await write(world.global, 'POST /api/customers', customer)).entry)).toEqual(['active', 'federalTaxId', 'id', 'name']);
  });

  // Rules: AUDIT-6
  test('of an organization scope are the added and removed organizations', async () => {
    const [one, two] = [await organizationOf(world, tenant), await organizationOf(world, tenant)];
    const member = await world.person({ [tenant.id]: 'viewer' });
    await restrict(world, member.id, tenant.id, [one.id]);
    const body = { scope: 'RESTRICTED', organizationIds: [two.id] };
    const { entry, event } = await write(world.global, `PUT /api/users/${member.id}/tenants/${tenant.id}/organizations`, body);
    expect(entry).toMatchObject({
      record: { type: 'organizationScope', id: `${member.id}:${tenant.id}` },
      changes: [{ field: 'organizationIds', before: [one.id], after: [two.id] }],
    });
    expect(event?.data).toEqual({ userId: member.id, tenantId: tenant.id, scope: 'RESTRICTED', added: [two.id], removed: [one.id] });
  });
});

// Rules: AUDIT-8
test('related records are those that an operation changes beside its record', async () => {
  const contacts = [{ type: 'PHONE', value: '1', isPrimary: true }];
  const made = await write(tenant.service, 'POST /service/organizations', { ...newOrganization(world), contacts });
  expect(made.entry?.record.type).toBe('organization');
  const types = made.entry?.related.map(({ type }) => type).toSorted();
  expect(types).toEqual(['organizationAddress', 'organizationContact', 'organizationLink']);
  const former = made.entry?.related.find(({ type }) => type === 'organizationContact')?.id;
  const { entry } = await write(admin, 'POST /api/organization-contacts', { organizationId: made.id, ...contacts[0] });
  expect(entry?.related).toEqual([
    { type: 'organizationContact', id: former, changes: [{ field: 'isPrimary', before: true, after: false }] },
  ]);
});

// Rules: AUDIT-8
test('a deletion counts what an organization takes out of sight, or what a tenant has', async () => {
  const other = await world.tenant();
  const { id } = await organizationOf(world, tenant, { contacts: ['1', '2'].map((value) => ({ type: 'PHONE', value })) });
  await linkTo(world, other, id);
  const member = await world.person({ [tenant.id]: 'viewer', [other.id]: 'viewer' });
  await restrict(world, member.id, tenant.id, [id]);
  for (let count = 0; count < 3; count += 1) await upload(world, admin, { entityId: id });
  const { entry, event } = await write(world.global, `DELETE /api/organizations/${id}`);
  const cascade = { organizationAddress: 1, organizationContact: 2, organizationLink: 2, organizationScope: 1, attachment: 3 };
  expect(entry).toMatchObject({ organizationId: id, related: [], cascade });
  expect(event).toMatchObject({ type: 'organization.deleted', data: { id } });
  const ofTenant = await write(world.global, `DELETE /api/tenants/${other.id}`);
  const record = { type: 'tenant', id: other.id };
  expect(ofTenant.entry).toMatchObject({ record, tenantId: other.id, related: [], cascade: { membership: 1 } });
});

// Rules: AUDIT-3
test('the service itself creates the first Global user', async () => {
  const { data } = await readEntries(world, world.global, 'operation=bootstrap');
  expect(data).toMatchObject([{ actor: { kind: 'SYSTEM', id: null }, requestId: null, tenantId: null, record: { type: 'user' } }]);
});

// Rules: AUDIT-1
test('a write that fails adds neither an entry nor an event', async () => {
  const { customerId, appId, clientId: identityClientId } = tenant;
  const body = { customerId, appId, name: 'T', identityClientId };
  expect((await world.call(world.global, 'POST /api/tenants', body, { 'x-request-id': 'failed-write' })).status).toBe(409);
  expect(await world.sql("select from journal where request_id = 'failed-write'")).toEqual([]);
});

// Rules: AUDIT-9
test.each(['update journal set operation = $$x$$', 'delete from journal', 'truncate journal', 'delete from audit_entries'])(
  'the database refuses: %s',
  async (statement) => {
    await expect(world.sql(statement)).rejects.toThrow('Audit entries cannot be changed');
  },
);

describe('a tenant sees', () => {
  /** A member of the tenant with a role for shared records. */
  const keeper = (role: string) => world.person({ [tenant.id]: 'viewer' }, { roles: [role] });

  // Rules: AUDIT-24
  test('only the addresses of its own organizations in a city that moves to another state', async () => {
    const addressIn = async (owner: Tenant) =>
      (await organizationOf(world, owner, { address: { ...praca, ...campinas } })).organizationAddressId;
    const [own, others] = [await addressIn(tenant), await addressIn(foreign)];
    const moved = await write(await keeper('cities:update'), `PUT /api/cities/${campinas.cityCode}`, { stateCode: 41 });
    expect(moved.entry?.related).toHaveLength(2);
    const changes = [{ field: 'stateCode', before: 35, after: 41 }];
    expect(moved.admin?.related).toEqual([{ type: 'organizationAddress', id: own, changes }]);
    expect(moved.application?.related.map(({ id }) => id)).toEqual([own]);
    expect(JSON.stringify([moved.admin, moved.application])).not.toContain(others);
    expect(moved.event).toMatchObject({ type: 'city.updated', organizationId: null, changed: ['stateCode'] });
    expect(JSON.stringify(moved.event)).not.toContain(String(own));
  });

  // Rules: AUDIT-25
  test('no counts of a shared record, but those of its organizations', async () => {
    const member = await world.person({ [tenant.id]: 'viewer', [foreign.id]: 'viewer' });
    const deleted = await write(await keeper('users:delete'), `DELETE /api/users/${member.id}`);
    expect([deleted.entry?.cascade, deleted.admin?.cascade, deleted.application?.cascade]).toEqual([{ membership: 2 }, {}, {}]);
    const { id } = await organizationOf(world, tenant);
    expect((await write(admin, `DELETE /api/organizations/${id}`)).admin?.cascade).toMatchObject({ organizationAddress: 1 });
  });

  // Rules: AUDIT-19, AUDIT-24, AUDIT-25, AUDIT-26
  test('not which other tenants are linked to a shared organization, nor who is restricted to it there', async () => {
    const made = await write(foreign.service, 'POST /service/organizations', newOrganization(world));
    await linkTo(world, tenant, made.id);
    const member = await world.person({ [foreign.id]: 'viewer' });
    await restrict(world, member.id, foreign.id, [made.id]);
    const visible = async () => (await readEntries(world, admin, `organizationId=${made.id}`)).data;
    const created = (await visible()).find(({ id }) => id === made.entry?.id);
    expect(created?.related.map(({ type }) => type)).toEqual(['organizationAddress']);

    const unlinked = await write(foreign.service, `DELETE /service/organizations/${made.id}/tenants`);
    const linkId = `${made.id}:${foreign.id}`;
    expect(unlinked.entry).toMatchObject({ record: { id: linkId }, cascade: { organizationScope: 1 } });
    expect([unlinked.admin?.cascade, unlinked.application?.cascade]).toEqual([{}, {}]);
    expect(unlinked.admin?.record).toEqual({ type: 'organizationLink', id: null });
    expect((await readEntries(world, admin, `recordId=${linkId}`)).data).toEqual([]);
    expect((await readEntries(world, foreignAdmin, `recordId=${linkId}`)).data).toHaveLength(1);
    expect(JSON.stringify(await visible())).not.toContain(foreign.id);
  });

  // Rules: AUDIT-27
  test('not where an attachment was before it moves to a shared organization', async () => {
    const [shared, others] = [await organizationOf(world, tenant), await organizationOf(world, foreign)];
    await linkTo(world, foreign, shared.id);
    const { body: file } = await upload(world, foreignAdmin, { entityId: others.id });
    const moved = await write(foreignAdmin, `PUT /api/attachments/${file.id}`, { entityId: shared.id });
    expect(moved.entry?.changes).toEqual([{ field: 'entityId', before: others.id, after: shared.id }]);
    expect(moved.admin).toMatchObject({ record: { type: 'attachment', id: file.id }, changes: null });
    expect(moved.application?.changes).toBeNull();
  });
});
