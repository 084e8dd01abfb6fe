import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import { campinas, curitiba, newOrganization, praca, startWorldWithMap } from '../support/organizations.ts';
import type { Tenant } from '../support/people.ts';
import type { Organization, OrganizationAddressPage, OrganizationContactPage } from '../support/records.ts';
import type { World } from '../support/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await startWorldWithMap();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const tables = ['organizations', 'organization_addresses', 'organization_contacts', 'organization_tenants', 'membership_organizations'];
const counts = () => world.sql(`select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`);
const addressesOf = (id: string) =>
  world.call<OrganizationAddressPage>(world.global, `GET /api/organization-addresses?organizationId=${id}`);
const contactsOf = async (id: string) =>
  (await world.call<OrganizationContactPage>(world.global, `GET /api/organization-contacts?organizationId=${id}`)).body.data;

/** Specification 4.8: both route families behave alike. */
describe.each([
  ['POST /api/organizations', () => world.global],
  ['POST /service/organizations', () => tenant.service],
])('%s', (target, actor) => {
  const create = (fields: Record<string, unknown> = {}) =>
    world.call<Organization>(actor(), target, { ...newOrganization(world), ...fields });

  // Rules: ORGANIZATIONS-1
  test('creates the organization with its current address and contacts and returns all fields', async () => {
    const federalTaxId = world.newTaxId();
    const fields = { name: 'Cooperativa Amazônia', alias: 'CA', federalTaxId, stateTaxId: '1', municipalTaxId: '2', logoPath: 'logo.png' };
    const plain = { active: false, listed: false, metadata: { snake_case: { camelCase: [1, null] } } };
    const address = { ...praca, complement: 'Sala 1', district: 'Sé', country: 'Brazil', latitude: -23.55, longitude: -46.63 };
    const contacts = [
      { type: 'EMAIL', value: 'office@example.com', description: 'Office', isPrimary: true },
      { type: 'URL', value: 'https://example.com', description: null },
      { type: 'PHONE', value: '+55 11 5555-0000' },
    ];
    const { status, body } = await create({ ...fields, ...plain, address, contacts });
    expect(status).toBe(201);
    const generated = { id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/), organizationAddressId: expect.any(String) };
    const stamps = { createdAt: expect.stringMatching(timestamp), updatedAt: body.createdAt, deletedAt: null };
    expect(body).toEqual({ ...fields, ...plain, ...generated, ...stamps });

    const period = { validFrom: expect.stringMatching(timestamp), validTo: null };
    const current = { ...address, ...period, id: body.organizationAddressId, organizationId: body.id };
    expect((await addressesOf(body.id)).body).toEqual({ data: [current], total: 1, totalPages: 1, currentPage: 1 });
    const made = { id: expect.any(String), organizationId: body.id, createdAt: body.createdAt, updatedAt: body.createdAt };
    const stored = contacts.map((contact) => ({ description: null, isPrimary: false, ...contact, ...made }));
    expect((await contactsOf(body.id)).toReversed()).toEqual(stored);
    expect((await world.call(world.global, `GET /api/organizations/${body.id}`)).body).toEqual(body);
  });

  // Rules: ORGANIZATIONS-4
  test('creates an active, listed organization in Brasil without contacts by default', async () => {
    const { body } = await create();
    const empty = { alias: null, stateTaxId: null, municipalTaxId: null, logoPath: null, metadata: null };
    expect(body).toMatchObject({ ...empty, active: true, listed: true });
    const place = { country: 'Brasil', complement: null, district: null, latitude: null, longitude: null };
    expect((await addressesOf(body.id)).body.data).toMatchObject([{ ...praca, ...place }]);
    expect(await contactsOf(body.id)).toEqual([]);
  });

  test('accepts null for nullable fields, and an empty list of contacts', async () => {
    const nothing = { alias: null, stateTaxId: null, municipalTaxId: null, logoPath: null, metadata: null };
    const address = { ...praca, complement: null, district: null, country: null, latitude: null, longitude: null };
    const { status, body } = await create({ ...nothing, address, contacts: [] });
    expect(status).toBe(201);
    expect(body).toMatchObject(nothing);
    expect((await addressesOf(body.id)).body.data).toMatchObject([{ ...address, country: 'Brasil' }]);
  });

  // Rules: LIMITS-1
  test('accepts each field up to its bound', async () => {
    const long = { district: 'ç'.repeat(50), country: 'ç'.repeat(50), street: 'x', number: '0' };
    expect((await create({ name: 'ç'.repeat(255), address: { ...praca, ...long } })).status).toBe(201);
    expect((await create({ federalTaxId: world.newTaxId().slice(-11) })).status).toBe(201);
    expect((await create({ federalTaxId: `AB${world.newTaxId().slice(-12)}` })).status).toBe(201);
  });

  // Rules: ORGANIZATIONS-3
  test('accepts at most one primary contact', async () => {
    const contact = { type: 'PHONE', value: '1', isPrimary: true };
    const { status, body } = await create({ contacts: [contact, { ...contact, isPrimary: false }, contact] });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'contacts' }] });
    expect((await create({ contacts: [contact, { ...contact, isPrimary: false }] })).status).toBe(201);
  });

  // Rules: ORGANIZATIONS-1, ORGANIZATIONS-6
  test.each([
    ['INVALID_STATE', { ...praca, stateCode: 99 }],
    ['INVALID_STATE', { ...praca, stateCode: 99, cityCode: 1 }],
    ['INVALID_CITY', { ...praca, cityCode: 1 }],
    ['CITY_STATE_MISMATCH', { ...praca, stateCode: curitiba.stateCode }],
    ['CITY_STATE_MISMATCH', { ...praca, ...campinas, stateCode: 11 }],
  ])('answers 400 %s and creates nothing', async (code, address) => {
    const before = await counts();
    const contacts = [{ type: 'PHONE', value: '1' }];
    expect(await create({ address, contacts })).toMatchObject({ status: 400, code });
    expect(await counts()).toEqual(before);
  });

  // Rules: ORGANIZATIONS-5
  test('rejects a known federalTaxId with ORGANIZATION_ALREADY_EXISTS and creates nothing', async () => {
    const { federalTaxId } = (await create()).body;
    const before = await counts();
    expect(await create({ federalTaxId, contacts: [{ type: 'PHONE', value: '1' }] })).toMatchObject({
      status: 409,
      code: 'ORGANIZATION_ALREADY_EXISTS',
    });
    expect(await counts()).toEqual(before);
  });

  // Rules: RECORDS-4
  test('creates one organization if several creations with one federalTaxId run at the same time', async () => {
    const federalTaxId = world.newTaxId();
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ federalTaxId })));
    const rest = Array.from({ length: 5 }, () => 'ORGANIZATION_ALREADY_EXISTS');
    expect(answers.map(outcome).toSorted()).toEqual([201, ...rest]);
    expect(await world.sql('select 1 from organizations where federal_tax_id = $1', [federalTaxId])).toHaveLength(1);
  });
});
