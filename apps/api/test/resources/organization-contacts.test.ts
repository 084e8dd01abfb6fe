import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { matchingContacts, mismatchingContacts, scriptUrls } from '../support/contact-values.ts';
import { newOrganization, organizationOf, startWorldWithMap } from '../support/organizations.ts';
import type { Tenant } from '../support/people.ts';
import type { Organization, OrganizationContact, OrganizationContactPage } from '../support/records.ts';
import type { World } from '../support/world.ts';

let world: World;
let tenant: Tenant;
let admin: Actor;
let organization: Organization;
beforeAll(async () => {
  world = await startWorldWithMap();
  tenant = await world.tenant();
  admin = await world.person({ [tenant.id]: 'tenant-admin' });
  organization = await organizationOf(world, tenant);
});
afterAll(() => world.stop());

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const phone = { type: 'PHONE', value: '+55 11 5555-0000' };
const create = (fields: Record<string, unknown> = {}, actor = admin) =>
  world.call<OrganizationContact>(actor, 'POST /api/organization-contacts', { organizationId: organization.id, ...phone, ...fields });
const get = (id: string, actor = admin) => world.call<OrganizationContact>(actor, `GET /api/organization-contacts/${id}`);
const list = (query: string, actor = admin) => world.call<OrganizationContactPage>(actor, `GET /api/organization-contacts?${query}`);
const update = (id: string, body: unknown, actor = admin) =>
  world.call<OrganizationContact>(actor, `PUT /api/organization-contacts/${id}`, body);
const remove = (id: string, actor = admin) => world.call(actor, `DELETE /api/organization-contacts/${id}`);
const contactsOf = async (id: string) =>
  (await world.call<OrganizationContactPage>(world.global, `GET /api/organization-contacts?limit=100&organizationId=${id}`)).body.data;
const primaryOf = async (id: string) => (await contactsOf(id)).filter(({ isPrimary }) => isPrimary).map((contact) => contact.id);

describe('POST /api/organization-contacts', () => {
  // Rules: CONTACTS-1
  test.each(matchingContacts)('creates a contact of type %s and returns all fields', async (type, value) => {
    const { status, body } = await create({ type, value, description: 'Office' });
    expect(status).toBe(201);
    const generated = { id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/), organizationId: organization.id };
    const stamps = { createdAt: expect.stringMatching(timestamp), updatedAt: body.createdAt };
    expect(body).toEqual({ ...generated, type, value, description: 'Office', isPrimary: false, ...stamps });
    expect((await get(body.id)).body).toEqual(body);
  });

  test('creates a contact that is not primary and has no description by default', async () => {
    expect((await create()).body).toMatchObject({ isPrimary: false, description: null });
    expect((await create({ description: null })).body.description).toBeNull();
  });

  // Rules: CONTACTS-3
  test.each(mismatchingContacts)('rejects a %s with the value %s', async (type, value) => {
    expect((await create({ type, value })).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'value' }] });
  });

  test.each(scriptUrls)('rejects a value that a browser would run, whatever its type: %j', async (value) => {
    for (const type of ['PHONE', 'EMAIL', 'URL']) expect((await create({ type, value })).code).toBe('VALIDATION_FAILED');
    const contacts = [{ type: 'PHONE', value }];
    const inOrganization = await world.call(admin, 'POST /api/organizations', { ...newOrganization(world), contacts });
    expect(inOrganization.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'contacts.0.value' }] });
  });
});

describe('GET /api/organization-contacts', () => {
  // Rules: CONTACTS-8
  test('lists only contacts of the tenant’s organizations, newest first, in pages', async () => {
    const own = await world.tenant();
    const viewer = await world.person({ [own.id]: 'viewer' });
    expect((await list('', viewer)).body).toEqual({ data: [], total: 0, totalPages: 0, currentPage: 1 });
    const { id: organizationId } = await organizationOf(world, own);
    const made = [];
    for (const value of ['1', '2', '3']) made.unshift((await create({ organizationId, value }, world.global)).body);
    expect((await list('', viewer)).body).toEqual({ data: made, total: 3, totalPages: 1, currentPage: 1 });
    expect((await list('limit=2', viewer)).body).toEqual({ data: made.slice(0, 2), total: 3, totalPages: 2, currentPage: 1 });
    expect((await list('limit=2&page=2', viewer)).body).toEqual({ data: made.slice(2), total: 3, totalPages: 2, currentPage: 2 });
    expect((await list('limit=2&page=3', viewer)).body).toEqual({ data: [], total: 3, totalPages: 2, currentPage: 3 });
  });

  // Rules: CONTACTS-9
  test('filters by organizationId, type and isPrimary, also together', async () => {
    const own = await world.tenant();
    const viewer = await world.person({ [own.id]: 'viewer' });
    const [mail, site] = [
      { type: 'EMAIL', value: 'a@example.com', isPrimary: true },
      { type: 'URL', value: 'https://example.com' },
    ];
    const one = await organizationOf(world, own, { contacts: [mail] });
    await organizationOf(world, own, { contacts: [{ ...mail, isPrimary: false }, site] });
    const values = async (query: string) => (await list(query, viewer)).body.data.map(({ value, isPrimary }) => [value, isPrimary]);
    expect(await values(`organizationId=${one.id.toUpperCase()}`)).toEqual([['a@example.com', true]]);
    expect(await values('type=URL')).toEqual([['https://example.com', false]]);
    expect(await values('type=EMAIL')).toHaveLength(2);
    expect(await values('type=PHONE')).toEqual([]);
    expect(await values('isPrimary=true')).toEqual([['a@example.com', true]]);
    expect(await values('isPrimary=false')).toHaveLength(2);
    expect(await values(`organizationId=${one.id}&type=EMAIL&isPrimary=false`)).toEqual([]);
    expect(await values('organizationId=&type=&isPrimary=')).toHaveLength(3);
  });
});

describe('GET /api/organization-contacts/{id}', () => {
  // Rules: CONTACTS-10
  test('returns the contact', async () => {
    const { body } = await create({ description: 'Office' });
    expect(await get(body.id)).toMatchObject({ status: 200, body });
  });
});

describe('PUT /api/organization-contacts/{id}', () => {
  // Rules: CONTACTS-11
  test('changes only the sent fields', async () => {
    const { body: contact } = await create({ description: 'Office' });
    const { status, body } = await update(contact.id, { type: 'EMAIL', value: 'office@example.com', description: null });
    expect(status).toBe(200);
    const changed = { type: 'EMAIL', value: 'office@example.com', description: null };
    expect(body).toEqual({ ...contact, ...changed, updatedAt: body.updatedAt });
    expect(body.updatedAt > contact.updatedAt).toBe(true);
    expect((await get(contact.id)).body).toEqual(body);
    expect((await update(contact.id, { description: 'Home' })).body).toEqual({
      ...body,
      description: 'Home',
      updatedAt: expect.any(String),
    });
  });

  test.each(matchingContacts)('accepts type %s with value %s', async (type, value) => {
    expect((await update((await create()).body.id, { type, value })).body).toMatchObject({ type, value });
  });

  // Rules: CONTACTS-4
  test.each(mismatchingContacts)('rejects type %s with value %s', async (type, value) => {
    const { body: contact } = await create();
    expect((await update(contact.id, { type, value })).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'value' }] });
    expect((await get(contact.id)).body).toEqual(contact);
  });

  // Rules: CONTACTS-4
  test.each(mismatchingContacts)('does not compare type %s and value %s if only one of them is sent', async (type, value) => {
    const { body: contact } = await create();
    expect(await update(contact.id, { type })).toMatchObject({ status: 200, body: { type, value: phone.value } });
    expect(await update(contact.id, { value })).toMatchObject({ status: 200, body: { type, value } });
  });

  test.each(scriptUrls)('rejects a value that a browser would run, also without type: %j', async (value) => {
    const { body: contact } = await create();
    for (const fields of [{ value }, { type: 'PHONE', value }, { type: 'URL', value }])
      expect((await update(contact.id, fields)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await get(contact.id)).body).toEqual(contact);
  });
});

describe('DELETE /api/organization-contacts/{id}', () => {
  // Rules: CONTACTS-12
  test('deletes the contact, also the primary one, and no other', async () => {
    const [{ id }, { body: other }] = [(await create({ isPrimary: true })).body, await create()];
    expect(await remove(id)).toMatchObject({ status: 204, body: undefined });
    expect((await get(id)).code).toBe('ORGANIZATION_CONTACT_NOT_FOUND');
    expect((await get(other.id)).body).toEqual(other);
    expect(await world.sql('select 1 from organization_contacts where id = $1', [id])).toEqual([]);
  });
});

describe('the primary contact', () => {
  const createIn = (organizationId: string, isPrimary: boolean) => create({ organizationId, isPrimary }, world.global);
  const updateAny = (id: string, body: unknown) => update(id, body, world.global);
  const removeAny = (id: string) => remove(id, world.global);
  test('is no longer primary after another primary contact is created', async () => {
    const { id } = await organizationOf(world);
    const { body: first } = await createIn(id, true);
    const { body: second } = await createIn(id, true);
    expect(second.isPrimary).toBe(true);
    expect(await primaryOf(id)).toEqual([second.id]);
    const [, before] = await contactsOf(id);
    expect(before).toEqual({ ...first, isPrimary: false, updatedAt: before?.updatedAt });
    expect((before?.updatedAt ?? '') > first.updatedAt).toBe(true);
  });

  // Rules: CONTACTS-6
  test('is no longer primary after another contact becomes primary, and the other contacts do not change', async () => {
    const { id } = await organizationOf(world);
    const [{ body: first }, { body: second }, { body: third }] = [
      await createIn(id, true),
      await createIn(id, false),
      await createIn(id, false),
    ];
    const { status, body } = await updateAny(second.id, { isPrimary: true });
    expect(status).toBe(200);
    expect(body).toEqual({ ...second, isPrimary: true, updatedAt: body.updatedAt });
    expect(await primaryOf(id)).toEqual([second.id]);
    expect((await contactsOf(id)).find((contact) => contact.id === third.id)).toEqual(third);
    expect(await updateAny(first.id, { isPrimary: false })).toMatchObject({ status: 200 });
    expect(await primaryOf(id)).toEqual([second.id]);
  });

  test('can be made primary again, changed, and made not primary', async () => {
    const { id } = await organizationOf(world);
    const { body: contact } = await createIn(id, true);
    expect(await updateAny(contact.id, { isPrimary: true, value: '2' })).toMatchObject({
      status: 200,
      body: { isPrimary: true, value: '2' },
    });
    expect((await updateAny(contact.id, { isPrimary: false })).body.isPrimary).toBe(false);
    expect(await primaryOf(id)).toEqual([]);
  });

  test('is separate for each organization', async () => {
    const [one, other] = [await organizationOf(world), await organizationOf(world)];
    const [{ body: first }, { body: second }] = [await createIn(one.id, true), await createIn(other.id, true)];
    expect([await primaryOf(one.id), await primaryOf(other.id)]).toEqual([[first.id], [second.id]]);
  });

  test('is unique after 20 creations at the same time', async () => {
    const { id } = await organizationOf(world);
    const answers = await Promise.all(Array.from({ length: 20 }, () => createIn(id, true)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await contactsOf(id)).toHaveLength(20);
    expect(await primaryOf(id)).toHaveLength(1);
  });

  // Rules: CONTACTS-6
  test('is unique after updates, creations and deletions at the same time', async () => {
    const { id } = await organizationOf(world);
    const ids = [];
    for (let index = 0; index < 6; index += 1) ids.push((await createIn(id, index === 0)).body.id);
    const answers = await Promise.all([
      ...ids.map((each) => updateAny(each, { isPrimary: true })),
      ...ids.map((each, index) => updateAny(each, { value: String(index) })),
      createIn(id, true),
      createIn(id, false),
      createIn(id, true),
      ...ids.slice(0, 2).map(removeAny),
    ]);
    for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status);
    expect((await primaryOf(id)).length).toBeLessThanOrEqual(1);
    expect(await contactsOf(id)).toHaveLength(7);
    await updateAny(ids[5] ?? '', { isPrimary: true });
    expect(await primaryOf(id)).toEqual([ids[5]]);
  });
});
