import { newOrganization } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { matchingContacts, mismatchingContacts, scriptUrls } from '../support/contact-values.ts';
import { useMember, useOrganization, useTenant } from '../support/use-people.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { OrganizationContact, OrganizationContactPage } from '../support/records.ts';

/** crud.test.ts tests what all resources have in common. */
const world = useWorldWithMap();
const tenant = useTenant(world);
const organization = useOrganization(world, tenant);
const admin = useMember(world, tenant, 'tenant-admin');

const phone = { type: 'PHONE', value: '+55 11 5555-0000' };
const create = (fields: Record<string, unknown> = {}, actor: Actor = admin) =>
  world.call<OrganizationContact>(actor, 'POST /api/organization-contacts', { organizationId: organization.id, ...phone, ...fields });
const get = (id: string, actor: Actor = admin) => world.call<OrganizationContact>(actor, `GET /api/organization-contacts/${id}`);
const list = (query: string, actor: Actor = admin) => world.call<OrganizationContactPage>(actor, `GET /api/organization-contacts?${query}`);
const update = (id: string, body: unknown, actor: Actor = admin) =>
  world.call<OrganizationContact>(actor, `PUT /api/organization-contacts/${id}`, body);
const remove = (id: string, actor: Actor = admin) => world.call(actor, `DELETE /api/organization-contacts/${id}`);
const contactsOf = async (id: string) =>
  (await world.call<OrganizationContactPage>(world.global, `GET /api/organization-contacts?limit=100&organizationId=${id}`)).body.data;
const primaryOf = async (id: string) => (await contactsOf(id)).filter(({ isPrimary }) => isPrimary).map((contact) => contact.id);

describe('POST /api/organization-contacts', () => {
  // Rules: CONTACTS-1
  test.each(matchingContacts)('accepts type %s with value %s', async (type, value) => {
    expect(await create({ type, value })).toMatchObject({ status: 201, body: { type, value } });
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
  });
});

describe('PUT /api/organization-contacts/{id}', () => {
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

describe('the primary contact', () => {
  const createIn = async (organizationId: string, isPrimary: boolean) => (await create({ organizationId, isPrimary }, world.global)).body;
  const change = (id: string, body: unknown) => update(id, body, world.global);
  const removeAny = (id: string) => remove(id, world.global);

  // Rules: CONTACTS-6
  test('is no longer primary after another contact is created as primary or becomes primary; others do not change', async () => {
    const [{ id }, other] = [await organizationOf(world), await organizationOf(world)];
    const { id: elsewhere } = await createIn(other.id, true);
    const [first, second, third] = [await createIn(id, true), await createIn(id, true), await createIn(id, false)];
    expect(await primaryOf(id)).toEqual([second.id]);
    const before = (await contactsOf(id)).at(-1);
    expect(before).toEqual({ ...first, isPrimary: false, updatedAt: before?.updatedAt });
    expect((before?.updatedAt ?? '') > first.updatedAt).toBe(true);
    const { status, body } = await change(first.id, { isPrimary: true });
    expect({ status, body }).toEqual({ status: 200, body: { ...first, updatedAt: body.updatedAt } });
    await change(second.id, { isPrimary: false });
    expect([await primaryOf(id), await primaryOf(other.id)]).toEqual([[first.id], [elsewhere]]);
    expect((await contactsOf(id))[0]).toEqual(third);
  });

  // Rules: CONTACTS-6
  test('is unique after updates, creations and deletions at the same time', async () => {
    const { id } = await organizationOf(world);
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1) ids.push((await createIn(id, index === 0)).id);
    const answers = await Promise.all([
      ...ids.map((each) => change(each, { isPrimary: true })),
      ...ids.map((each, index) => change(each, { value: String(index) })),
      ...[true, false, true].map((isPrimary) => create({ organizationId: id, isPrimary }, world.global)),
      ...ids.slice(0, 2).map(removeAny),
    ]);
    for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status);
    expect((await primaryOf(id)).length).toBeLessThanOrEqual(1);
    expect(await contactsOf(id)).toHaveLength(7);
    await change(ids[5] ?? '', { isPrimary: true });
    expect(await primaryOf(id)).toEqual([ids[5]]);
  });
});
