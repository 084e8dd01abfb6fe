import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { campinas, curitiba, organizationOf, praca, saoPaulo, startWorldWithMap } from '../support/organizations.ts';
import type { Actor } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import { absentId, type Organization, type OrganizationAddress } from '../support/records.ts';
import type { World } from '../support/world.ts';

let world: World;
let tenant: Tenant;
let admin: Actor;
let foreign: Organization;
beforeAll(async () => {
  world = await startWorldWithMap();
  tenant = await world.tenant();
  admin = await world.person({ [tenant.id]: 'tenant-admin' });
  foreign = await organizationOf(world, await world.tenant());
});
afterAll(() => world.stop());

const get = (id: string, actor = admin) => world.call<OrganizationAddress>(actor, `GET /api/organization-addresses/${id}`);
const update = (id: string, body: unknown, actor = admin) =>
  world.call<OrganizationAddress>(actor, `PUT /api/organization-addresses/${id}`, body);
const remove = (id: string, actor = admin) => world.call(actor, `DELETE /api/organization-addresses/${id}`);
const current = async () => (await get((await organizationOf(world, tenant)).organizationAddressId ?? '')).body;
const succeed = async (organizationId: string) =>
  (await world.call<OrganizationAddress>(admin, 'POST /api/organization-addresses', { organizationId, ...praca })).body;
const organization = async (id: string) => (await world.call<Organization>(admin, `GET /api/organizations/${id}`)).body;
const currentOf = async (id: string) => (await organization(id)).organizationAddressId;

describe('PUT /api/organization-addresses/{id}', () => {
  test('changes what is sent of a current address and nothing else', async () => {
    const address = await current();
    const fields = { zipCode: '80010000', street: 'Rua XV', number: 's/n', complement: 'Fundos', district: 'Centro', ...curitiba };
    const place = { country: 'Brazil', latitude: -25.42, longitude: -49.27 };
    const { status, body } = await update(address.id, { ...fields, ...place });
    expect(status).toBe(200);
    expect(body).toEqual({ ...address, ...fields, ...place });
    expect((await get(address.id)).body).toEqual(body);
    const emptied = { complement: null, district: null, latitude: null, longitude: null };
    expect((await update(address.id, emptied)).body).toEqual({ ...body, ...emptied });
  });

  test('country null sets Brasil, a country left out stays', async () => {
    const { id } = await current();
    expect((await update(id, { country: 'Uruguay' })).body.country).toBe('Uruguay');
    expect((await update(id, { number: '2' })).body.country).toBe('Uruguay');
    expect((await update(id, { country: null })).body.country).toBe('Brasil');
  });

  test('ignores what it does not change, right or wrong: a client may send back the record', async () => {
    const address = await current();
    const wrong = { id: absentId, organizationId: foreign.id, validFrom: 'now', validTo: '2001-01-01T00:00:00.000Z' };
    expect(await update(address.id, { ...address, ...wrong, number: '2' })).toMatchObject({
      status: 200,
      body: { ...address, number: '2' },
    });
  });

  test('an empty body changes nothing', async () => {
    const address = await current();
    expect(await update(address.id, {})).toMatchObject({ status: 200, body: address });
  });

  test.each([
    ['zipCode', '0100100'],
    ['zipCode', '010010000'],
    ['zipCode', null],
    ['street', ''],
    ['number', ''],
    ['district', 'x'.repeat(51)],
    ['cityCode', null],
    ['stateCode', 'SP'],
    ['country', 'x'.repeat(51)],
    ['latitude', '0'],
  ])('refuses a wrong %s: %o', async (path, value) => {
    const address = await current();
    expect((await update(address.id, { [path]: value })).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] });
  });

  test('validates city and state together, as they would be then', async () => {
    const { id } = await current();
    expect(await update(id, { cityCode: campinas.cityCode })).toMatchObject({ status: 200, body: campinas });
    expect(await update(id, curitiba)).toMatchObject({ status: 200, body: curitiba });
    expect(await update(id, { cityCode: saoPaulo.cityCode })).toMatchObject({ status: 400, code: 'CITY_STATE_MISMATCH' });
    expect(await update(id, { stateCode: saoPaulo.stateCode })).toMatchObject({ status: 400, code: 'CITY_STATE_MISMATCH' });
    expect(await update(id, { stateCode: 99 })).toMatchObject({ status: 404, code: 'STATE_NOT_FOUND' });
    expect(await update(id, { cityCode: 1 })).toMatchObject({ status: 404, code: 'CITY_NOT_FOUND' });
    expect((await get(id)).body).toMatchObject(curitiba);
  });

  test('400 ORGANIZATION_ADDRESS_NOT_CURRENT for a closed one, whatever is sent, and it is left as it is', async () => {
    const { organizationId, id } = await current();
    await succeed(organizationId);
    const { body: closed } = await get(id);
    for (const body of [{ number: '2' }, { stateCode: 99 }, closed, {}])
      expect(await update(id, body)).toMatchObject({ status: 400, code: 'ORGANIZATION_ADDRESS_NOT_CURRENT' });
    expect((await get(id)).body).toEqual(closed);
  });

  test('404 ORGANIZATION_ADDRESS_NOT_FOUND outside the scope, whether or not it exists', async () => {
    for (const id of [foreign.organizationAddressId ?? '', absentId]) {
      expect((await update(id, { number: '2' })).code).toBe('ORGANIZATION_ADDRESS_NOT_FOUND');
      expect((await update(id, {})).code).toBe('ORGANIZATION_ADDRESS_NOT_FOUND');
    }
    expect((await get(foreign.organizationAddressId ?? '', world.global)).body.number).toBe('1');
  });
});

describe('DELETE /api/organization-addresses/{id}', () => {
  test('of the current address leaves the organization without one and touches no neighbour', async () => {
    const first = await current();
    const second = await succeed(first.organizationId);
    const { body: neighbour } = await get(first.id);
    const before = await organization(first.organizationId);
    expect(await remove(second.id)).toMatchObject({ status: 204, body: undefined });
    expect((await get(second.id)).code).toBe('ORGANIZATION_ADDRESS_NOT_FOUND');
    const after = await organization(first.organizationId);
    expect(after).toEqual({ ...before, organizationAddressId: null, updatedAt: after.updatedAt });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect((await get(first.id)).body).toEqual(neighbour);
    expect((await update(first.id, { number: '2' })).code).toBe('ORGANIZATION_ADDRESS_NOT_CURRENT');
    expect(await world.sql('select 1 from organization_addresses where id = $1', [second.id])).toEqual([]);
  });

  test('after it a creation makes a current address again, and leaves the neighbour as it is', async () => {
    const first = await current();
    const second = await succeed(first.organizationId);
    await remove(second.id);
    const { body: neighbour } = await get(first.id);
    const third = await succeed(first.organizationId);
    expect(await currentOf(first.organizationId)).toBe(third.id);
    expect((await get(first.id)).body).toEqual(neighbour);
    expect(third.validFrom >= (neighbour.validTo ?? '')).toBe(true);
  });

  test('of the only address leaves none; a creation begins anew', async () => {
    const { id, organizationId } = await current();
    await remove(id);
    expect(await currentOf(organizationId)).toBeNull();
    const next = await succeed(organizationId);
    expect(next.validTo).toBeNull();
    expect(await currentOf(organizationId)).toBe(next.id);
  });

  test('of a closed address leaves a gap, and the current one as it is', async () => {
    const first = await current();
    const second = await succeed(first.organizationId);
    const third = await succeed(first.organizationId);
    const { body: before } = await get(first.id);
    expect((await remove(second.id)).status).toBe(204);
    expect((await get(first.id)).body).toEqual(before);
    expect((await get(third.id)).body).toEqual(third);
    expect(await currentOf(first.organizationId)).toBe(third.id);
  });

  test('404 ORGANIZATION_ADDRESS_NOT_FOUND outside the scope, whether or not it exists; of several at once one deletes', async () => {
    for (const id of [foreign.organizationAddressId ?? '', absentId])
      expect((await remove(id)).code).toBe('ORGANIZATION_ADDRESS_NOT_FOUND');
    expect((await get(foreign.organizationAddressId ?? '', world.global)).status).toBe(200);
    const { id } = await current();
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404, 404]);
  });
});
