import { curitiba, praca, saoPaulo } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { raceAgainst } from '../support/race.ts';
import type { Organization, OrganizationAddress, OrganizationAddressPage } from '../support/records.ts';

/** The history of addresses. crud.test.ts tests what all resources have in common, lists.test.ts the filters. */
const world = useWorldWithMap();

const call = <Body = OrganizationAddress>(target: string, body?: unknown) => world.call<Body>(world.global, target, body);
const path = '/api/organization-addresses';
const create = (organizationId: string, fields: object = {}) => call(`POST ${path}`, { organizationId, ...praca, ...fields });
const get = (id: string) => call(`GET ${path}/${id}`);
const update = (id: string, body: unknown) => call(`PUT ${path}/${id}`, body);
const remove = (id: string) => call(`DELETE ${path}/${id}`);
const readOrganization = async (id: string) => (await call<Organization>(`GET /api/organizations/${id}`)).body;
const currentOf = async (id: string) => (await readOrganization(id)).organizationAddressId;

/** Oldest first. */
const historyOf = async (id: string) => {
  const { data } = (await call<OrganizationAddressPage>(`GET ${path}?limit=100&organizationId=${id}`)).body;
  return data.toSorted((one, other) => (one.validFrom < other.validFrom ? -1 : 1));
};

/** Checks that each period ends when the next begins, that none is empty, and that the last address is the current one of the organization. */
async function expectUnbroken(id: string): Promise<void> {
  const history = await historyOf(id);
  expect(history.map(({ validTo }) => validTo)).toEqual([...history.slice(1).map(({ validFrom }) => validFrom), null]);
  for (const { validFrom, validTo } of history.slice(0, -1)) expect(validFrom < (validTo ?? '')).toBe(true);
  expect(await currentOf(id)).toBe(history.at(-1)?.id);
}

// Rules: ADDRESSES-1, ADDRESSES-6
test('a new address closes the current one at the same time, and a closed address, or one that is being closed, cannot be updated', async () => {
  const { body: first } = await get((await organizationOf(world)).organizationAddressId ?? '');
  const { body: second } = await create(first.organizationId, curitiba);
  const closed = { ...first, validTo: second.validFrom };
  await expectUnbroken(first.organizationId);
  for (const body of [{ number: '2' }, { stateCode: 99 }, closed, {}])
    expect(await update(first.id, body)).toMatchObject({ status: 400, code: 'ORGANIZATION_ADDRESS_NOT_CURRENT' });
  expect((await get(first.id)).body).toEqual(closed);
  const close = 'update organization_addresses set valid_to = clock_timestamp() where id = $1';
  const { code } = await raceAgainst(world, [close, [second.id]], () => update(second.id, { number: '2' }));
  expect(code).toBe('ORGANIZATION_ADDRESS_NOT_CURRENT');
});

// Rules: ADDRESSES-4, ADDRESSES-5, ADDRESSES-18
test('a deletion keeps the other addresses, and the organization has no current one after the deletion of it', async () => {
  const { id: organizationId, organizationAddressId } = await organizationOf(world);
  const [{ body: second }, { body: third }] = [await create(organizationId), await create(organizationId)];
  const { body: first } = await get(organizationAddressId ?? '');
  expect(await remove(second.id)).toMatchObject({ status: 204, body: undefined });
  const before = await readOrganization(organizationId);
  expect(before.organizationAddressId).toBe(third.id);
  expect((await get(third.id)).body).toEqual(third);
  expect((await remove(third.id)).status).toBe(204);
  expect((await get(third.id)).code).toBe('ORGANIZATION_ADDRESS_NOT_FOUND');
  const after = await readOrganization(organizationId);
  expect(after).toEqual({ ...before, organizationAddressId: null, updatedAt: after.updatedAt });
  expect(after.updatedAt > before.updatedAt).toBe(true);
  expect((await get(first.id)).body).toEqual(first);
  expect((await update(first.id, { number: '2' })).code).toBe('ORGANIZATION_ADDRESS_NOT_CURRENT');
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
    await world.sql("update organization_addresses set valid_to = now() + interval '1 hour' where id = $1", [organizationAddressId]);
    expect((await create(id)).status).toBe(201);
    await create(id);
    expect(await historyOf(id)).toHaveLength(3);
    await expectUnbroken(id);
  });
});

// Rules: CITIES-4
test('a city with addresses cannot move to an unknown state', async () => {
  await organizationOf(world);
  const answer = await call(`PUT /api/cities/${saoPaulo.cityCode}`, { stateCode: 99 });
  expect(answer).toMatchObject({ status: 400, code: 'INVALID_STATE' });
});
