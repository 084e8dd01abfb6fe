import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { organizationOf, startWorldWithMap } from '../support/organizations.ts';
import type { Actor } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import { absentId, type Organization, type OrganizationContact, type OrganizationContactPage } from '../support/records.ts';
import type { World } from '../support/world.ts';
import { fitting, running, unfitting } from '../support/wrong.ts';

let world: World;
let tenant: Tenant;
let admin: Actor;
let organization: Organization;
let foreign: Organization;
beforeAll(async () => {
  world = await startWorldWithMap();
  tenant = await world.tenant();
  admin = await world.person({ [tenant.id]: 'tenant-admin' });
  organization = await organizationOf(world, tenant);
  foreign = await organizationOf(world, await world.tenant(), { contacts: [{ type: 'PHONE', value: '1', isPrimary: true }] });
});
afterAll(() => world.stop());

const phone = { type: 'PHONE', value: '+55 11 5555-0000' };
const create = (fields: Record<string, unknown> = {}, actor = admin) =>
  world.call<OrganizationContact>(actor, 'POST /api/organization-contacts', { organizationId: organization.id, ...phone, ...fields });
const get = (id: string, actor = admin) => world.call<OrganizationContact>(actor, `GET /api/organization-contacts/${id}`);
const list = (query: string, actor = admin) => world.call<OrganizationContactPage>(actor, `GET /api/organization-contacts?${query}`);
const update = (id: string, body: unknown) => world.call<OrganizationContact>(admin, `PUT /api/organization-contacts/${id}`, body);
const remove = (id: string) => world.call(admin, `DELETE /api/organization-contacts/${id}`);
const foreignContact = async () => (await list(`organizationId=${foreign.id}`, world.global)).body.data[0]?.id ?? '';

describe('GET /api/organization-contacts/{id}', () => {
  test('gives the contact', async () => {
    const { body } = await create({ description: 'Office' });
    expect(await get(body.id)).toMatchObject({ status: 200, body });
  });

  test('404 ORGANIZATION_CONTACT_NOT_FOUND outside the scope, whether or not it exists; 400 for no uuid', async () => {
    const id = await foreignContact();
    for (const each of [id, absentId]) expect(await get(each)).toMatchObject({ status: 404, code: 'ORGANIZATION_CONTACT_NOT_FOUND' });
    expect((await get(id, world.global)).status).toBe(200);
    expect((await get(absentId, world.global)).code).toBe('ORGANIZATION_CONTACT_NOT_FOUND');
    expect((await get('7')).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'id' }] });
  });
});

describe('PUT /api/organization-contacts/{id}', () => {
  test('changes what is sent and nothing else', async () => {
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

  test('ignores what it does not change, right or wrong: a client may send back the record', async () => {
    const { body: contact } = await create();
    const wrong = { id: absentId, organizationId: foreign.id, createdAt: 'now' };
    const { status, body } = await update(contact.id, { ...contact, ...wrong });
    expect(status).toBe(200);
    expect(body).toEqual({ ...contact, updatedAt: body.updatedAt });
  });

  test('an empty body changes nothing', async () => {
    const { body: contact } = await create({ isPrimary: true });
    expect(await update(contact.id, {})).toMatchObject({ status: 200, body: contact });
  });

  test.each(fitting)('takes type %s and %s together', async (type, value) => {
    expect((await update((await create()).body.id, { type, value })).body).toMatchObject({ type, value });
  });

  test.each(unfitting)('refuses type %s and %s together', async (type, value) => {
    const { body: contact } = await create();
    expect((await update(contact.id, { type, value })).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'value' }] });
    expect((await get(contact.id)).body).toEqual(contact);
  });

  test.each(unfitting)('does not hold %s against %s where only one of them is sent', async (type, value) => {
    const { body: contact } = await create();
    expect(await update(contact.id, { type })).toMatchObject({ status: 200, body: { type, value: phone.value } });
    expect(await update(contact.id, { value })).toMatchObject({ status: 200, body: { type, value } });
  });

  test.each(running)('refuses what runs in a browser, also where the type is not sent: %j', async (value) => {
    const { body: contact } = await create();
    for (const fields of [{ value }, { type: 'PHONE', value }, { type: 'URL', value }])
      expect((await update(contact.id, fields)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await get(contact.id)).body).toEqual(contact);
  });

  test.each([
    ['type', null],
    ['type', 'FAX'],
    ['value', ''],
    ['value', null],
    ['description', 7],
    ['isPrimary', null],
  ])('refuses a wrong %s: %o', async (path, value) => {
    const { id } = (await create()).body;
    expect((await update(id, { [path]: value })).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] });
  });

  test('404 ORGANIZATION_CONTACT_NOT_FOUND outside the scope, whether or not it exists', async () => {
    for (const id of [await foreignContact(), absentId])
      for (const body of [{ value: 'taken' }, { isPrimary: true }, {}])
        expect((await update(id, body)).code).toBe('ORGANIZATION_CONTACT_NOT_FOUND');
  });
});

describe('DELETE /api/organization-contacts/{id}', () => {
  test('removes it, also the primary one, and no other', async () => {
    const [{ id }, { body: other }] = [(await create({ isPrimary: true })).body, await create()];
    expect(await remove(id)).toMatchObject({ status: 204, body: undefined });
    expect((await get(id)).code).toBe('ORGANIZATION_CONTACT_NOT_FOUND');
    expect((await get(other.id)).body).toEqual(other);
    expect(await world.sql('select 1 from organization_contacts where id = $1', [id])).toEqual([]);
  });

  test('404 ORGANIZATION_CONTACT_NOT_FOUND outside the scope, whether or not it exists; of several at once one deletes', async () => {
    const id = await foreignContact();
    for (const each of [id, absentId]) expect((await remove(each)).code).toBe('ORGANIZATION_CONTACT_NOT_FOUND');
    expect((await get(id, world.global)).status).toBe(200);
    const mine = (await create()).body.id;
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(mine)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404, 404]);
  });
});
