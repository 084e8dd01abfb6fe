import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../support/api.ts';
import { organizationOf, praca, startWorldWithMap } from '../support/organizations.ts';
import { raceAgainst } from '../support/race.ts';
import type { Organization, OrganizationAddress, OrganizationAddressPage } from '../support/records.ts';
import type { World } from '../support/world.ts';

/** The periods of the addresses of an organization never overlap, and at most one address is current, also after concurrent changes. */
let world: World;
beforeAll(async () => (world = await startWorldWithMap()));
afterAll(() => world.stop());

const create = (organizationId: string, on: Pick<World, 'call'> = world) =>
  on.call<OrganizationAddress>(world.global, 'POST /api/organization-addresses', { organizationId, ...praca });
const remove = (id: string) => world.call(world.global, `DELETE /api/organization-addresses/${id}`);
const currentOf = async (id: string) =>
  (await world.call<Organization>(world.global, `GET /api/organizations/${id}`)).body.organizationAddressId;
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

describe('the address history', () => {
  // Rules: ADDRESSES-2
  test('is an unbroken chain with one current address after 20 creations at the same time', async () => {
    const { id } = await organizationOf(world);
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(await historyOf(id)).toHaveLength(21);
    await expectUnbroken(id);
  });

  test('is unbroken for an organization that had no address', async () => {
    const { id, organizationAddressId } = await organizationOf(world);
    await remove(organizationAddressId ?? '');
    await Promise.all(Array.from({ length: 20 }, () => create(id)));
    expect(await historyOf(id)).toHaveLength(20);
    await expectUnbroken(id);
  });

  test('is unbroken after creations through two instances, and other organizations keep their address', async () => {
    const [{ id }, other] = [await organizationOf(world), await organizationOf(world)];
    const instances = [world, createApi((await world.another()).url)];
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => create(id, instances[index % 2])));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
    await expectUnbroken(id);
    expect(await historyOf(other.id)).toMatchObject([{ validTo: null }]);
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
    const change = () => world.call(world.global, `PUT /api/organization-addresses/${id}`, { number: '2' });
    expect((await raceAgainst(world, [close, [id]], change)).code).toBe('ORGANIZATION_ADDRESS_NOT_CURRENT');
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
