import { newOrganization } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { matchingContacts, mismatchingContacts, scriptUrls } from '../support/contact-values.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { OrganizationContact, OrganizationContactPage } from '../support/records.ts';
import { useOrganization, useTenant } from '../support/use-people.ts';

/** crud.test.ts tests what all resources have in common, lists.test.ts the filters. */
const world = useWorldWithMap();
const organization = useOrganization(world, useTenant(world));

const phone = { type: 'PHONE', value: '+55 11 5555-0000' };
const call = (target: string, body?: unknown) => world.call<OrganizationContact>(world.global, target, body);
const path = '/api/organization-contacts';
const create = (fields: object = {}) => call(`POST ${path}`, { organizationId: organization.id, ...phone, ...fields });
const update = (id: string, body: unknown) => call(`PUT ${path}/${id}`, body);
const mismatch = { status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path: 'value' }] } };

describe('the value of a contact', () => {
  // Rules: CONTACTS-1, CONTACTS-3
  test.each(matchingContacts)('may match the type: %s, %s', async (type, value) => {
    expect(await create({ type, value })).toMatchObject({ status: 201, body: { type, value } });
  });

  // Rules: CONTACTS-3, CONTACTS-4
  test.each(mismatchingContacts)('must match the type, at PUT only if both are sent: %s, %s', async (type, value) => {
    expect(await create({ type, value })).toMatchObject(mismatch);
    const { body: contact } = await create();
    expect(await update(contact.id, { type, value })).toMatchObject(mismatch);
    expect((await call(`GET ${path}/${contact.id}`)).body).toEqual(contact);
    expect(await update(contact.id, { type })).toMatchObject({ status: 200, body: { type, value: phone.value } });
    expect(await update(contact.id, { value })).toMatchObject({ status: 200, body: { type, value } });
  });

  test.each(scriptUrls)('is rejected if a browser would run it, whatever the type: %j', async (value) => {
    const { id } = (await create()).body;
    for (const type of ['PHONE', 'EMAIL', 'URL', undefined]) {
      expect((await create({ type, value })).code).toBe('VALIDATION_FAILED');
      expect((await update(id, { type, value })).code).toBe('VALIDATION_FAILED');
    }
    const inOrganization = await call('POST /api/organizations', { ...newOrganization(world), contacts: [{ type: 'PHONE', value }] });
    expect(inOrganization.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'contacts.0.value' }] });
  });
});

const createIn = async (organizationId: string, isPrimary: boolean) => (await create({ organizationId, isPrimary })).body;
const contactsOf = async (id: string) =>
  (await world.call<OrganizationContactPage>(world.global, `GET ${path}?organizationId=${id}`)).body.data;
const primaryOf = async (id: string) => (await contactsOf(id)).filter(({ isPrimary }) => isPrimary).map((contact) => contact.id);

// Rules: CONTACTS-6
test('a contact is no longer primary after another contact is created as primary or becomes primary; others do not change', async () => {
  const [{ id }, other] = [await organizationOf(world), await organizationOf(world)];
  const { id: elsewhere } = await createIn(other.id, true);
  const [first, second, third] = [await createIn(id, true), await createIn(id, true), await createIn(id, false)];
  expect(await primaryOf(id)).toEqual([second.id]);
  const before = (await contactsOf(id)).at(-1)!;
  expect(before).toEqual({ ...first, isPrimary: false, updatedAt: before.updatedAt });
  expect(before.updatedAt > first.updatedAt).toBe(true);
  const { body } = await update(first.id, { isPrimary: true });
  expect(body).toEqual({ ...first, updatedAt: body.updatedAt });
  await update(second.id, { isPrimary: false });
  expect([await primaryOf(id), await primaryOf(other.id)]).toEqual([[first.id], [elsewhere]]);
  expect((await contactsOf(id))[0]).toEqual(third);
});
