import { newOrganization } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { upload } from '../support/files.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { linkTo, organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import { entriesOf, eventsOf, readEntries } from './entries.ts';

/** What single entries contain. */
const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

let serial = 0;
/** Sends a request, and returns its entry and its event. */
async function write(actor: { token?: string }, target: string, body?: unknown) {
  const requestId = `contents-${(serial += 1)}`;
  const response = await world.call(actor, target, body, { 'x-request-id': requestId });
  expect(response.status).toBeLessThan(300);
  const [[entry], [event]] = [await entriesOf(world, requestId), await eventsOf(world, requestId)];
  return { body: response.body, entry, event };
}

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

  // Rules: AUDIT-7
  test('never contain the content of a file', async () => {
    const { body } = await upload(world, admin, { description: 'D' });
    const { data } = await readEntries(world, world.global, `recordId=${body.id}`);
    expect(data[0]?.changes?.map(({ field }) => field)).toEqual(
      ['createdAt', 'description', 'entityType', 'external', 'filePath', 'id', 'originalFilename', 'userId'].toSorted(),
    );
  });

  // Rules: AUDIT-5
  test('leave out fields that are null before and after a creation', async () => {
    const { entry } = await write(world.global, 'POST /api/customers', { federalTaxId: world.newTaxId(), name: 'Central', alias: null });
    expect(entry?.changes?.map(({ field }) => field)).toEqual(['active', 'federalTaxId', 'id', 'name']);
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

describe('related records', () => {
  // Rules: AUDIT-8
  test('are those that an operation changes beside its record', async () => {
    const contacts = [{ type: 'PHONE', value: '1' }];
    const { entry } = await write(tenant.service, 'POST /service/organizations', { ...newOrganization(world), contacts });
    expect(entry?.record.type).toBe('organization');
    const types = entry?.related.map(({ type }) => type).toSorted();
    expect(types).toEqual(['organizationAddress', 'organizationContact', 'organizationLink']);
  });

  test('contain the contact that is no longer primary', async () => {
    const contact = { organizationId: (await organizationOf(world, tenant)).id, type: 'PHONE', value: '1', isPrimary: true };
    const first = await write(admin, 'POST /api/organization-contacts', contact);
    const { entry } = await write(admin, 'POST /api/organization-contacts', contact);
    expect(entry?.related).toEqual([
      { type: 'organizationContact', id: first.body['id'], changes: [{ field: 'isPrimary', before: true, after: false }] },
    ]);
  });
});

describe('a deletion counts', () => {
  // Rules: AUDIT-8
  test('what an organization takes out of sight, and its links and grants', async () => {
    const other = await world.tenant();
    const { id } = await organizationOf(world, tenant, { contacts: [1, 2].map((value) => ({ type: 'PHONE', value: String(value) })) });
    await linkTo(world, other, id);
    const member = await world.person({ [tenant.id]: 'viewer' });
    await restrict(world, member.id, tenant.id, [id]);
    for (let count = 0; count < 3; count += 1) await upload(world, admin, { entityId: id });
    const { entry, event } = await write(world.global, `DELETE /api/organizations/${id}`);
    expect(entry).toMatchObject({
      organizationId: id,
      related: [],
      cascade: { organizationAddress: 1, organizationContact: 2, organizationLink: 2, organizationScope: 1, attachment: 3 },
    });
    expect(event).toMatchObject({ type: 'organization.deleted', data: { id } });
  });

  test('the memberships and links of a tenant', async () => {
    const { id } = await world.tenant();
    for (let count = 0; count < 2; count += 1) await world.person({ [id]: 'viewer' });
    const { entry } = await write(world.global, `DELETE /api/tenants/${id}`);
    expect(entry).toMatchObject({ record: { type: 'tenant', id }, tenantId: id, related: [], cascade: { membership: 2 } });
  });
});

// Rules: AUDIT-3
test('the service itself creates the first Global user', async () => {
  const { data } = await readEntries(world, world.global, 'operation=bootstrap');
  expect(data).toMatchObject([{ actor: { kind: 'SYSTEM', id: null }, requestId: null, tenantId: null, record: { type: 'user' } }]);
});

// Rules: AUDIT-1
test('a write that fails adds neither an entry nor an event', async () => {
  const headers = { 'x-request-id': 'failed-write' };
  const { status } = await world.call(
    world.global,
    'POST /api/tenants',
    { customerId: tenant.customerId, appId: tenant.appId, name: 'T', identityClientId: tenant.clientId },
    headers,
  );
  expect(status).toBe(409);
  expect([await entriesOf(world, 'failed-write'), await eventsOf(world, 'failed-write')]).toEqual([[], []]);
});

// Rules: AUDIT-9
test.each(['update journal set operation = $$x$$', 'delete from journal', 'truncate journal', 'delete from audit_entries'])(
  'the database refuses: %s',
  async (statement) => {
    await expect(world.sql(statement)).rejects.toThrow('Audit entries cannot be changed');
  },
);
