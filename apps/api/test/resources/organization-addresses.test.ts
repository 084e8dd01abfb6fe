import { campinas, curitiba, praca, saoPaulo } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { type Actor } from '../support/api.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { raceAgainst } from '../support/race.ts';
import type { Organization, OrganizationAddress, OrganizationAddressPage } from '../support/records.ts';
import type { World } from '../support/world.ts';

/** crud.test.ts tests what all resources have in common. */
const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

const create = (organizationId: string, fields: Record<string, unknown> = {}, on: Pick<World, 'call'> = world) =>
  on.call<OrganizationAddress>(world.global, 'POST /api/organization-addresses', { organizationId, ...praca, ...fields });
const get = (id: string) => world.call<OrganizationAddress>(admin, `GET /api/organization-addresses/${id}`);
const list = (query: string, actor: Actor = admin) =>
  world.call<OrganizationAddressPage>(actor, `GET /api/organization-addresses?${query}`);
const currentOf = async (id: string) =>
  (await world.call<Organization>(world.global, `GET /api/organizations/${id}`)).body.organizationAddressId;
const update = (id: string, body: unknown) => world.call<OrganizationAddress>(world.global, `PUT /api/organization-addresses/${id}`, body);
const remove = (id: string) => world.call(world.global, `DELETE /api/organization-addresses/${id}`);
/** The address of a new organization. */
const newAddress = async () => (await get((await organizationOf(world, tenant)).organizationAddressId ?? '')).body;
const addTo = async (organizationId: string) => (await create(organizationId)).body;
const readOrganization = async (id: string) => (await world.call<Organization>(admin, `GET /api/organizations/${id}`)).body;

/** Oldest first. */
const historyOf = async (id: string) => {
  const target = `GET /api/organization-addresses?limit=100&organizationId=${id}`;
  const { data } = (await world.call<OrganizationAddressPage>(world.global, target)).body;
  return data.toSorted((one, other) => (one.validFrom < other.validFrom ? -1 : 1));
};

/** Checks that each period ends when the next begins, that none is empty, and that the last address is the current one of the organization. */
async function expectUnbroken(id: string): Promise<void> {
  const history = await historyOf(id);
  const [last] = history.slice(-1);
  expect(history.map(({ validTo }) => validTo)).toEqual([...history.slice(1).map(({ validFrom }) => validFrom), null]);
  for (const { validFrom, validTo } of history.slice(0, -1)) expect(validFrom < (validTo ?? '')).toBe(true);
  expect(await currentOf(id)).toBe(last?.id);
}

describe('POST /api/organization-addresses', () => {
  // Rules: ADDRESSES-1
  test('makes the new address the current one and closes the previous one at the same time', async () => {
    const first = await newAddress();
    const { status, body } = await create(first.organizationId, curitiba);
    expect(status).toBe(201);
    expect((await get(first.id)).body).toEqual({ ...first, validTo: body.validFrom });
    expect(body.validFrom > first.validFrom).toBe(true);
    expect(await currentOf(first.organizationId)).toBe(body.id);
  });
});

describe('GET /api/organization-addresses', () => {
  // Rules: ADDRESSES-14
  test('filters by organizationId, cityCode, stateCode and currentOnly, also together', async () => {
    const own = await world.tenant();
    const viewer = await world.person({ [own.id]: 'viewer' });
    const [one, two] = [await organizationOf(world, own), await organizationOf(world, own, { address: { ...praca, ...campinas } })];
    const { body: moved } = await create(one.id, curitiba);
    const [first, second] = [one.organizationAddressId, two.organizationAddressId];
    const ids = async (query: string) => (await list(query, viewer)).body.data.map(({ id }) => id);
    expect(await ids(`organizationId=${one.id.toUpperCase()}`)).toEqual([moved.id, first]);
    expect(await ids(`cityCode=${saoPaulo.cityCode}`)).toEqual([first]);
    expect(await ids('stateCode=35')).toEqual([second, first]);
    expect(await ids('currentOnly=true')).toEqual([moved.id, second]);
    expect(await ids('currentOnly=false')).toEqual([moved.id, second, first]);
    expect(await ids(`organizationId=${one.id}&stateCode=35&cityCode=${saoPaulo.cityCode}&currentOnly=true`)).toEqual([]);
    expect(await ids('stateCode=99')).toEqual([]);
  });
});

describe('PUT /api/organization-addresses/{id}', () => {
  // Rules: ADDRESSES-11, ADDRESSES-12
  test('validates the resulting city and state together', async () => {
    const { id } = await newAddress();
    expect(await update(id, { cityCode: campinas.cityCode })).toMatchObject({ status: 200, body: campinas });
    expect(await update(id, curitiba)).toMatchObject({ status: 200, body: curitiba });
    expect(await update(id, { cityCode: saoPaulo.cityCode })).toMatchObject({ status: 400, code: 'CITY_STATE_MISMATCH' });
    expect(await update(id, { stateCode: saoPaulo.stateCode })).toMatchObject({ status: 400, code: 'CITY_STATE_MISMATCH' });
    expect(await update(id, { stateCode: 99 })).toMatchObject({ status: 404, code: 'STATE_NOT_FOUND' });
    expect(await update(id, { cityCode: 1 })).toMatchObject({ status: 404, code: 'CITY_NOT_FOUND' });
    expect((await get(id)).body).toMatchObject(curitiba);
  });

  // Rules: ADDRESSES-6
  test('rejects every change of a closed address with ORGANIZATION_ADDRESS_NOT_CURRENT', async () => {
    const { organizationId, id } = await newAddress();
    await addTo(organizationId);
    const { body: closed } = await get(id);
    for (const body of [{ number: '2' }, { stateCode: 99 }, closed, {}])
      expect(await update(id, body)).toMatchObject({ status: 400, code: 'ORGANIZATION_ADDRESS_NOT_CURRENT' });
    expect((await get(id)).body).toEqual(closed);
  });
});

describe('DELETE /api/organization-addresses/{id}', () => {
  // Rules: ADDRESSES-4, ADDRESSES-5, ADDRESSES-18
  test('deletes the current address, so that the organization has none, and keeps the other addresses', async () => {
    const first = await newAddress();
    const second = await addTo(first.organizationId);
    const { body: previous } = await get(first.id);
    const before = await readOrganization(first.organizationId);
    expect(await remove(second.id)).toMatchObject({ status: 204, body: undefined });
    expect((await get(second.id)).code).toBe('ORGANIZATION_ADDRESS_NOT_FOUND');
    const after = await readOrganization(first.organizationId);
    expect(after).toEqual({ ...before, organizationAddressId: null, updatedAt: after.updatedAt });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect((await get(first.id)).body).toEqual(previous);
    expect((await update(first.id, { number: '2' })).code).toBe('ORGANIZATION_ADDRESS_NOT_CURRENT');
    expect(await world.sql('select 1 from organization_addresses where id = $1', [second.id])).toEqual([]);
  });

  // Rules: ADDRESSES-5
  test('deletes a closed address and keeps the current one', async () => {
    const first = await newAddress();
    const second = await addTo(first.organizationId);
    const third = await addTo(first.organizationId);
    const { body: before } = await get(first.id);
    expect((await remove(second.id)).status).toBe(204);
    expect((await get(first.id)).body).toEqual(before);
    expect((await get(third.id)).body).toEqual(third);
    expect(await currentOf(first.organizationId)).toBe(third.id);
  });
});

describe('the address history', () => {
  // Rules: ADDRESSES-2
  test('is an unbroken chain with one current address after 20 creations at the same time', async () => {
    const { id } = await organizationOf(world);
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(await historyOf(id)).toHaveLength(21);
    await expectUnbroken(id);
  });

  test('continues at the last end if the clock of the database was set back', async () => {
    const { id, organizationAddressId } = await organizationOf(world);
    await create(id);
    await remove((await currentOf(id)) ?? '');
    const ahead = "update organization_addresses set valid_to = now() + interval '1 hour' where id = $1 returning valid_to";
    await world.sql(ahead, [organizationAddressId]);
    const { status, body } = await create(id);
    expect(status).toBe(201);
    expect((await historyOf(id)).map(({ id: each }) => each)).toEqual([organizationAddressId, body.id]);
    expect(body.validFrom).toBe((await historyOf(id))[0]?.validTo);
    await create(id);
    await expectUnbroken(id);
  });

  test('rejects a change of an address that is being closed', async () => {
    const { organizationAddressId: id } = await organizationOf(world);
    const close = 'update organization_addresses set valid_to = clock_timestamp() where id = $1';
    expect((await raceAgainst(world, [close, [id]], () => update(id ?? '', { number: '2' }))).code).toBe(
      'ORGANIZATION_ADDRESS_NOT_CURRENT',
    );
  });

  test('has at most one current address and no overlap after creations and deletions at the same time', async () => {
    const { id } = await organizationOf(world);
    const round = async () => {
      const { status, body } = await create(id);
      expect(status).toBe(201);
      expect((await remove(body.id)).status).toBe(204);
    };
    await Promise.all(Array.from({ length: 10 }, async (_, index) => (index % 2 ? round() : void (await create(id)))));
    const history = await historyOf(id);
    expect(history).toHaveLength(6);
    for (const [index, { validFrom }] of history.slice(1).entries()) expect((history[index]?.validTo ?? 'none') <= validFrom).toBe(true);
    const current = history.find(({ validTo }) => validTo === null);
    expect(await currentOf(id)).toBe(current?.id ?? null);
  });
});
