import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCity } from '../support/geography.ts';
import { curitiba, organizationOf, praca, saoPaulo, startWorldWithMap } from '../support/organizations.ts';
import type { City, OrganizationAddress } from '../support/records.ts';
import type { World } from '../support/world.ts';
import { wrongOfCity } from '../support/wrong.ts';

let world: World;
beforeAll(async () => (world = await startWorldWithMap()));
afterAll(() => world.stop());

const create = (fields: Record<string, unknown> = {}) => world.call<City>(world.global, 'POST /api/cities', { ...newCity(), ...fields });
const get = (code: number | string) => world.call<City>(world.global, `GET /api/cities/${code}`);
const update = (code: number, body: unknown) => world.call<City>(world.global, `PUT /api/cities/${code}`, body);
const remove = (code: number) => world.call(world.global, `DELETE /api/cities/${code}`);

describe('GET /api/cities/{ibgeCode}', () => {
  test('gives a city of the map', async () => {
    const place = { latitude: expect.any(Number), longitude: expect.any(Number), stateCode: 35, timeZone: 'America/Sao_Paulo' };
    const city = { ibgeCode: 3550308, name: 'São Paulo', capital: true, siafiId: '7107', ddd: 11, ...place };
    expect((await get(3550308)).body).toEqual(city);
  });

  test('404 CITY_NOT_FOUND; 400 for what is no code', async () => {
    expect(await get(1)).toMatchObject({ status: 404, code: 'CITY_NOT_FOUND' });
    for (const code of ['Curitiba', '1.5', '99999999999'])
      expect((await get(code)).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'ibgeCode' }] });
  });
});

describe('PUT /api/cities/{ibgeCode}', () => {
  test('changes what is sent and nothing else; ibgeCode is immutable', async () => {
    const { body: created } = await create();
    const fields = {
      ...newCity(),
      name: 'Cidade Velha',
      capital: true,
      stateCode: 41,
      ddd: 41,
      timeZone: 'America/Bahia',
      latitude: 1,
      longitude: 2,
    };
    const { status, body } = await update(created.ibgeCode, { ...fields, ibgeCode: saoPaulo.cityCode });
    expect({ status, body }).toEqual({ status: 200, body: { ...fields, ibgeCode: created.ibgeCode } });
    expect((await update(created.ibgeCode, { capital: false })).body).toEqual({ ...body, capital: false });
    expect((await get(created.ibgeCode)).body).toEqual({ ...body, capital: false });
  });

  test('an empty body changes nothing, and the record may be sent back', async () => {
    const { body: city } = await get(curitiba.cityCode);
    expect(await update(curitiba.cityCode, {})).toMatchObject({ status: 200, body: city });
    expect(await update(curitiba.cityCode, city)).toMatchObject({ status: 200, body: city });
  });

  test('the addresses in it follow it into another state', async () => {
    const { body: city } = await create();
    const place = { ...praca, cityCode: city.ibgeCode, stateCode: city.stateCode };
    const { organizationAddressId } = await organizationOf(world, undefined, { address: place });
    expect((await update(city.ibgeCode, { stateCode: 41 })).status).toBe(200);
    const { body } = await world.call<OrganizationAddress>(world.global, `GET /api/organization-addresses/${organizationAddressId}`);
    expect(body).toMatchObject({ cityCode: city.ibgeCode, stateCode: 41 });
  });

  test.each(wrongOfCity)('refuses a wrong %s: %o', async (path, value) => {
    const { status, body } = await update(saoPaulo.cityCode, { [path]: value });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] });
  });

  test('400 INVALID_STATE for an unknown stateCode, also where addresses are in the city', async () => {
    await organizationOf(world);
    expect(await update(saoPaulo.cityCode, { stateCode: 99 })).toMatchObject({ status: 400, code: 'INVALID_STATE' });
    expect(await update((await create()).body.ibgeCode, { stateCode: 99 })).toMatchObject({ status: 400, code: 'INVALID_STATE' });
  });

  test('404 CITY_NOT_FOUND; 409 CITY_ALREADY_EXISTS for another’s siafiId', async () => {
    expect(await update(1, { name: 'Nova' })).toMatchObject({ status: 404, code: 'CITY_NOT_FOUND' });
    expect((await update(1, {})).code).toBe('CITY_NOT_FOUND');
    expect(await update(curitiba.cityCode, { siafiId: '7107' })).toMatchObject({ status: 409, code: 'CITY_ALREADY_EXISTS' });
    expect((await update(saoPaulo.cityCode, { siafiId: '7107' })).status).toBe(200);
  });
});

describe('DELETE /api/cities/{ibgeCode}', () => {
  test('removes it, and ibgeCode and siafiId are free again', async () => {
    const { body: created } = await create();
    expect(await remove(created.ibgeCode)).toMatchObject({ status: 204, body: undefined });
    expect((await get(created.ibgeCode)).code).toBe('CITY_NOT_FOUND');
    expect((await create(created)).status).toBe(201);
  });

  test('409 CITY_IN_USE while an address points at it, also of a deleted organization', async () => {
    const { body: city } = await create();
    const address = { ...praca, cityCode: city.ibgeCode };
    const { id } = await organizationOf(world, undefined, { address });
    expect(await remove(city.ibgeCode)).toMatchObject({ status: 409, code: 'CITY_IN_USE' });
    await world.call(world.global, `DELETE /api/organizations/${id}`);
    expect((await remove(city.ibgeCode)).code).toBe('CITY_IN_USE');
  });

  test('404 CITY_NOT_FOUND', async () => {
    expect(await remove(1)).toMatchObject({ status: 404, code: 'CITY_NOT_FOUND' });
  });
});
