import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newOrganization, organizationOf, startWorldWithMap } from '../support/organizations.ts';
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

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const phone = { type: 'PHONE', value: '+55 11 5555-0000' };
const create = (fields: Record<string, unknown> = {}, actor = admin) =>
  world.call<OrganizationContact>(actor, 'POST /api/organization-contacts', { organizationId: organization.id, ...phone, ...fields });
const get = (id: string, actor = admin) => world.call<OrganizationContact>(actor, `GET /api/organization-contacts/${id}`);
const list = (query: string, actor = admin) => world.call<OrganizationContactPage>(actor, `GET /api/organization-contacts?${query}`);

describe('POST /api/organization-contacts', () => {
  test.each(fitting)('creates a contact of type %s and answers all fields', async (type, value) => {
    const { status, body } = await create({ type, value, description: 'Office' });
    expect(status).toBe(201);
    const generated = { id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/), organizationId: organization.id };
    const stamps = { createdAt: expect.stringMatching(timestamp), updatedAt: body.createdAt };
    expect(body).toEqual({ ...generated, type, value, description: 'Office', isPrimary: false, ...stamps });
    expect((await get(body.id)).body).toEqual(body);
  });

  test('is not primary and has no description unless told', async () => {
    expect((await create()).body).toMatchObject({ isPrimary: false, description: null });
    expect((await create({ description: null })).body.description).toBeNull();
  });

  test.each(unfitting)('refuses a %s that is %s', async (type, value) => {
    expect((await create({ type, value })).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'value' }] });
  });

  test.each(running)('refuses what runs in a browser, whatever its type: %j', async (value) => {
    for (const type of ['PHONE', 'EMAIL', 'URL']) expect((await create({ type, value })).code).toBe('VALIDATION_FAILED');
    const contacts = [{ type: 'PHONE', value }];
    const inOrganization = await world.call(admin, 'POST /api/organizations', { ...newOrganization(world), contacts });
    expect(inOrganization.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'contacts.0.value' }] });
  });

  test.each([
    ['organizationId', undefined],
    ['organizationId', '7'],
    ['type', undefined],
    ['type', 'phone'],
    ['value', undefined],
    ['value', ''],
    ['value', 7],
    ['description', 7],
    ['isPrimary', null],
    ['isPrimary', 'true'],
  ])('refuses a wrong %s: %o', async (path, value) => {
    const { status, body } = await create({ [path]: value });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] });
  });

  test('403 NOT_ALLOWED_ORGANIZATION outside the scope, whether or not it exists; 404 ORGANIZATION_NOT_FOUND for who sees all', async () => {
    for (const organizationId of [foreign.id, absentId])
      expect(await create({ organizationId, isPrimary: true })).toMatchObject({ status: 403, code: 'NOT_ALLOWED_ORGANIZATION' });
    const unknown = await create({ organizationId: absentId }, world.global);
    expect(unknown).toMatchObject({ status: 404, code: 'ORGANIZATION_NOT_FOUND' });
    expect((await list(`organizationId=${foreign.id}`, world.global)).body.data).toMatchObject([{ isPrimary: true }]);
  });
});

describe('GET /api/organization-contacts', () => {
  test('lists the contacts of the tenant’s organizations alone, newest first, in pages that neither repeat nor skip', async () => {
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

  test('filters by organizationId, type and isPrimary, and by all together', async () => {
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

  test.each(['organizationId=7', 'type=FAX', 'type=email', 'isPrimary=1', 'page=0', 'limit=101'])('refuses %s', async (query) => {
    expect((await list(query)).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: query.split('=')[0] }] });
  });

  test('403 NOT_ALLOWED_ORGANIZATION outside the scope, whether or not it exists; 404 ORGANIZATION_NOT_FOUND for who sees all', async () => {
    for (const id of [foreign.id, absentId]) expect((await list(`organizationId=${id}`)).code).toBe('NOT_ALLOWED_ORGANIZATION');
    expect((await list(`organizationId=${absentId}`, world.global)).code).toBe('ORGANIZATION_NOT_FOUND');
  });
});
