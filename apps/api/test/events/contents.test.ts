import { campinas, newOrganization, praca } from '@profile-service/contracts/examples';
import { expect, test } from 'vitest';
import { entriesOf, type StoredEvent } from '../audit/entries.ts';
import type { Actor } from '../support/api.ts';
import { upload } from '../support/files.ts';
import { linkTo, organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { useMember, useTenant } from '../support/use-people.ts';

/** What an event contains after each kind of write. */
const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

let serial = 0;
/** Makes a write. Returns the body of its response, and its event as a Global user gets it. */
async function write(actor: Actor, target: string, body?: unknown) {
  const requestId = `event-${(serial += 1)}`;
  const { status, body: answered } = await world.call(actor, target, body, { 'x-request-id': requestId });
  expect([target, status]).toEqual([target, expect.toSatisfy((code: number) => code < 300)]);
  const find = async (): Promise<StoredEvent | undefined> =>
    (await world.call<{ data: StoredEvent[] }>(world.global, 'GET /api/events?limit=1000')).body.data.find(
      (event) => event.requestId === requestId,
    );
  // An event is visible when all transactions of the server that are older have ended.
  await expect.poll(find).toBeDefined();
  const event = (await find()) as StoredEvent;
  const [entry] = await entriesOf(world, requestId);
  return { answered, event, entry };
}

const withValues = (record: Record<string, unknown>) =>
  Object.keys(record)
    .filter((field) => field !== 'updatedAt' && record[field] !== null)
    .toSorted();

interface Resource {
  type: string;
  path: string;
  /** The field that identifies a record; default `id`. */
  key?: string;
  create: () => Promise<object> | object;
  update: () => object;
}
const where = { latitude: -23.5, longitude: -46.625 };
const city = {
  ibgeCode: 9900001,
  name: 'Nova',
  ...where,
  capital: false,
  stateCode: 35,
  siafiId: '9999',
  ddd: 11,
  timeZone: 'America/Sao_Paulo',
};
const resources: Resource[] = [
  {
    type: 'state',
    path: '/api/states',
    key: 'stateCode',
    create: () => ({ stateCode: 99, uf: 'XX', name: 'Novo', ...where, region: 'Sul' }),
    update: () => ({ latitude: 1.25 }),
  },
  { type: 'city', path: '/api/cities', key: 'ibgeCode', create: () => city, update: () => ({ longitude: -1, capital: true }) },
  {
    type: 'customer',
    path: '/api/customers',
    create: () => ({ federalTaxId: world.newTaxId(), name: 'Central', alias: null }),
    update: () => ({ alias: 'C', active: false }),
  },
  { type: 'app', path: '/api/apps', create: () => ({ name: world.newTaxId() }), update: () => ({ name: world.newTaxId() }) },
  {
    type: 'tenant',
    path: '/api/tenants',
    create: () => ({ customerId: tenant.customerId, appId: tenant.appId, name: world.newTaxId(), identityClientId: world.newTaxId() }),
    update: () => ({ metadata: { a: [1] } }),
  },
  { type: 'user', path: '/api/users', create: () => ({ ...world.newPerson(), type: 'Admin' }), update: () => ({ jobTitle: 'Agronomist' }) },
  {
    type: 'documentType',
    path: '/api/document-types',
    create: () => ({ name: world.newTaxId() }),
    update: () => ({ name: world.newTaxId() }),
  },
  {
    type: 'organization',
    path: '/api/organizations',
    create: () => newOrganization(world),
    update: () => ({ alias: 'O', metadata: { b: 1 } }),
  },
  {
    type: 'organizationAddress',
    path: '/api/organization-addresses',
    create: async () => ({ organizationId: (await organizationOf(world, tenant)).id, ...praca, ...campinas }),
    update: () => ({ complement: 'K' }),
  },
  {
    type: 'organizationContact',
    path: '/api/organization-contacts',
    create: async () => ({ organizationId: (await organizationOf(world, tenant)).id, type: 'PHONE', value: '1' }),
    update: () => ({ value: '2', description: 'D' }),
  },
  {
    type: 'webhook',
    path: '/api/webhooks',
    create: () => ({ url: 'https://hooks.example.com/a', types: ['user.*'], tenantId: tenant.id }),
    update: () => ({ types: ['*'], description: 'D' }),
  },
];

// Rules: EVENTS-1, EVENTS-2, EVENTS-4
test.each(resources)(
  'events of the type $type show the record as its GET does, and what changed',
  async ({ type, path, key = 'id', create, update }) => {
    const read = async (id: string) => (await world.call(world.global, `GET ${path}/${id}`)).body;
    const created = await write(world.global, `POST ${path}`, await create());
    const id = String(created.answered[key]);
    const first = await read(id);
    const changes = update();
    const updated = await write(world.global, `PUT ${path}/${id}`, changes);
    const second = await read(id);
    const deleted = await write(world.global, `DELETE ${path}/${id}`);
    const record = { type, id };
    expect(created.event).toMatchObject({ record, type: `${type}.created`, data: first });
    expect(created.event.changed.toSorted()).toEqual(withValues(first));
    expect(updated.event).toMatchObject({ record, type: `${type}.updated`, data: second });
    expect(updated.event.changed.toSorted()).toEqual(Object.keys(changes).toSorted());
    expect(deleted.event).toMatchObject({ record, type: `${type}.deleted`, data: second });
    expect(deleted.event.changed.toSorted()).toEqual(withValues(second));
    for (const { event, entry } of [created, updated, deleted]) {
      expect(Object.keys(event.data).toSorted()).toEqual(Object.keys(second).toSorted());
      const { occurredAt, actor, requestId, organizationId, tenantId } = entry!;
      expect(event).toMatchObject({ id: entry!.id, occurredAt, actor, requestId, organizationId, record: entry!.record, tenantId });
    }
  },
);

// Rules: EVENTS-1, EVENTS-2
test('the events of an attachment belong to its organization, and show the record as its list does', async () => {
  const { id: organizationId } = await organizationOf(world, tenant);
  const { id } = (await upload(world, admin, { entityId: organizationId })).body;
  const { event, answered } = await write(admin, `PUT /api/attachments/${id}`, { description: 'D' });
  expect(event).toMatchObject({ type: 'attachment.updated', organizationId, tenantId: tenant.id, changed: ['description'] });
  expect(event.data).toEqual(answered);
  expect((await write(admin, `DELETE /api/attachments/${id}`)).event).toMatchObject({
    type: 'attachment.deleted',
    organizationId,
    data: answered,
  });
});

// Rules: EVENTS-2, EVENTS-3, EVENTS-4
test('the events of memberships, organization scopes and links name both records', async () => {
  const [one, two] = [(await organizationOf(world, tenant)).id, (await organizationOf(world, tenant)).id];
  const { id: userId } = await world.person({});
  const other = await world.tenant();
  const member = { userId, tenantId: tenant.id, scope: 'ALL' };
  const path = `/api/users/${userId}/tenants/${tenant.id}`;
  const assign = (persona: string) => write(world.global, `POST /api/users/${userId}/tenants`, { tenantId: tenant.id, persona });
  const set = (...organizationIds: string[]) => write(world.global, `PUT ${path}/organizations`, { scope: 'RESTRICTED', organizationIds });
  const record = { type: 'membership', id: `${userId}:${tenant.id}` };

  const created = (await assign('viewer')).event;
  expect(created).toMatchObject({ type: 'membership.created', record, tenantId: tenant.id, data: { ...member, persona: 'viewer' } });
  expect(created.changed).toEqual(withValues(created.data));
  const updated = (await assign('technician')).event;
  expect(updated).toMatchObject({ type: 'membership.updated', changed: ['persona'], data: { ...member, persona: 'technician' } });

  const scope = { userId, tenantId: tenant.id, scope: 'RESTRICTED' };
  await set(one);
  const moved = (await set(two)).event;
  expect(moved).toMatchObject({ record: { ...record, type: 'organizationScope' }, tenantId: tenant.id });
  expect(moved.data).toEqual({ ...scope, added: [two], removed: [one] });

  const removed = (await write(world.global, `DELETE ${path}`)).event;
  expect(removed).toMatchObject({ type: 'membership.deleted', record, data: { ...member, scope: 'RESTRICTED', persona: 'technician' } });

  await linkTo(world, other, one);
  const { event } = await write(other.service, `DELETE /service/organizations/${one}/tenants`);
  const actor = { kind: 'APPLICATION', id: other.id };
  expect(event).toMatchObject({ type: 'organizationLink.deleted', tenantId: other.id, organizationId: one, actor });
  expect(event).toMatchObject({
    record: { type: 'organizationLink', id: `${one}:${other.id}` },
    data: { organizationId: one, tenantId: other.id },
  });
});
