import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newState } from '../support/geography.ts';
import { organizationOf, startWorldWithMap } from '../support/organizations.ts';
import type { State } from '../support/records.ts';
import type { World } from '../support/world.ts';
import { wrongOfState } from '../support/wrong.ts';

let world: World;
beforeAll(async () => (world = await startWorldWithMap()));
afterAll(() => world.stop());

const create = (fields: Record<string, unknown> = {}) => world.call<State>(world.global, 'POST /api/states', { ...newState(), ...fields });
const get = (code: number | string) => world.call<State>(world.global, `GET /api/states/${code}`);
const update = (code: number, body: unknown) => world.call<State>(world.global, `PUT /api/states/${code}`, body);
const remove = (code: number) => world.call(world.global, `DELETE /api/states/${code}`);

describe('GET /api/states/{stateCode}', () => {
  test('gives a state of the map', async () => {
    const saoPaulo = { stateCode: 35, uf: 'SP', name: 'São Paulo', latitude: -22.19, longitude: -48.79, region: 'Sudeste' };
    expect(await get(35)).toMatchObject({ status: 200, body: saoPaulo });
  });

  test('404 STATE_NOT_FOUND; 400 for what is no code', async () => {
    expect(await get(99)).toMatchObject({ status: 404, code: 'STATE_NOT_FOUND' });
    for (const code of ['SP', '35.5', '99999999999', '%00'])
      expect((await get(code)).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'stateCode' }] });
  });
});

describe('PUT /api/states/{stateCode}', () => {
  test('changes what is sent and nothing else; the stateCode of the body counts for nothing', async () => {
    const { body: created } = await create();
    const fields = { name: 'Novíssima', uf: newState().uf, region: 'Sul' };
    const { status, body } = await update(created.stateCode, { ...fields, stateCode: 35 });
    expect({ status, body }).toEqual({ status: 200, body: { ...created, ...fields } });
    expect((await update(created.stateCode, { latitude: 1, longitude: 2 })).body).toEqual({ ...body, latitude: 1, longitude: 2 });
    expect((await get(created.stateCode)).body).toEqual({ ...body, latitude: 1, longitude: 2 });
    expect((await get(35)).body.uf).toBe('SP');
  });

  test('an empty body changes nothing, and the record may be sent back', async () => {
    const { body: created } = await create();
    expect(await update(created.stateCode, {})).toMatchObject({ status: 200, body: created });
    expect(await update(created.stateCode, created)).toMatchObject({ status: 200, body: created });
  });

  test.each(wrongOfState)('refuses a wrong %s: %o', async (path, value) => {
    expect((await update(35, { [path]: value })).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] });
  });

  test('404 STATE_NOT_FOUND; 409 STATE_ALREADY_EXISTS for another’s uf', async () => {
    expect(await update(99, { name: 'Nova' })).toMatchObject({ status: 404, code: 'STATE_NOT_FOUND' });
    expect((await update(99, {})).code).toBe('STATE_NOT_FOUND');
    expect(await update(35, { uf: 'PR' })).toMatchObject({ status: 409, code: 'STATE_ALREADY_EXISTS' });
    expect((await update(35, { uf: 'SP' })).status).toBe(200);
  });
});

describe('DELETE /api/states/{stateCode}', () => {
  test('removes it, and stateCode and uf are free again', async () => {
    const { body: created } = await create();
    expect(await remove(created.stateCode)).toMatchObject({ status: 204, body: undefined });
    expect((await get(created.stateCode)).code).toBe('STATE_NOT_FOUND');
    expect((await create(created)).status).toBe(201);
  });

  test('409 STATE_IN_USE while a city points at it, and while an address does, of a deleted organization too', async () => {
    expect(await remove(35)).toMatchObject({ status: 409, code: 'STATE_IN_USE' });
    const { body: state } = await create();
    const city = {
      ibgeCode: 9_000_001,
      name: 'Nova',
      latitude: 0,
      longitude: 0,
      capital: false,
      siafiId: 'N1',
      ddd: 11,
      timeZone: 'America/Bahia',
    };
    await world.create('POST /api/cities', { ...city, stateCode: state.stateCode });
    expect((await remove(state.stateCode)).code).toBe('STATE_IN_USE');
    const place = { zipCode: '01001000', street: 'x', number: '1', cityCode: city.ibgeCode, stateCode: state.stateCode };
    const { id } = await organizationOf(world, undefined, { address: place });
    await world.call(world.global, `DELETE /api/organizations/${id}`);
    expect((await remove(state.stateCode)).code).toBe('STATE_IN_USE');
  });

  test('404 STATE_NOT_FOUND', async () => {
    expect(await remove(99)).toMatchObject({ status: 404, code: 'STATE_NOT_FOUND' });
  });
});
