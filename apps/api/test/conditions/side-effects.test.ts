import { newCity, newOrganization, praca } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTenant } from '../support/use-people.ts';
import { linkedOrganization, organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import type { City, Organization, OrganizationAddress, OrganizationContact, OrganizationScope } from '../support/records.ts';

/** Changes of a record through a request about another record. */
const world = useWorldWithMap();
const tenant = useTenant(world);

/** Sends a request as the Global user. Throws unless it succeeds. */
async function call<Body = Record<string, unknown>>(target: string, body?: unknown, actor = world.global): Promise<Body> {
  const response = await world.call<Body>(actor, target, body);
  if (response.status >= 300) throw new Error(`${target} returned ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body;
}
const versionOf = async (path: string): Promise<number> =>
  Number((await world.call(world.global, `GET ${path}`)).headers.get('etag')?.replaceAll('"', ''));

/** Runs the change. Returns whether it has raised the version of each record. */
async function raises(paths: readonly string[], change: () => Promise<unknown>): Promise<boolean[]> {
  const before = await Promise.all(paths.map(versionOf));
  await change();
  const after = await Promise.all(paths.map(versionOf));
  expect([...before, ...after].every(Number.isInteger)).toBe(true);
  return after.map((version, index) => version > before[index]!);
}

const organizationPath = (id: string) => `/api/organizations/${id}`;
const addressPath = (id: string | null) => `/api/organization-addresses/${id}`;
const contactPath = (id: string) => `/api/organization-contacts/${id}`;

describe('an address', () => {
  test('raises its organization and the closed address when it is created', async () => {
    const { id, organizationAddressId } = await organizationOf(world);
    const { id: other } = await organizationOf(world);
    const create = () => call('POST /api/organization-addresses', { organizationId: id, ...praca });
    expect(await raises([organizationPath(id), addressPath(organizationAddressId), organizationPath(other)], create)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('raises its organization when it is current and deleted', async () => {
    const { id, organizationAddressId: closed } = await organizationOf(world);
    const { id: current } = await call<OrganizationAddress>('POST /api/organization-addresses', { organizationId: id, ...praca });
    expect(await raises([organizationPath(id), addressPath(closed)], () => call(`DELETE ${addressPath(current)}`))).toEqual([true, false]);
    expect(await raises([organizationPath(id)], () => call(`DELETE ${addressPath(closed)}`))).toEqual([false]);
  });

  test('is raised when its city moves to another state', async () => {
    const { ibgeCode, stateCode } = await call<City>('POST /api/cities', newCity());
    const inCity = { ...newOrganization(world), address: { ...praca, cityCode: ibgeCode, stateCode } };
    const [inside, outside] = [await call<Organization>('POST /api/organizations', inCity), await organizationOf(world)];
    const paths = [inside, outside].map(({ organizationAddressId }) => addressPath(organizationAddressId));
    const cityPath = `/api/cities/${ibgeCode}`;
    expect(await raises([cityPath, ...paths], () => call(`PUT ${cityPath}`, { stateCode: 41 }))).toEqual([true, true, false]);
    expect(await raises([cityPath, ...paths], () => call(`PUT ${cityPath}`, { name: 'Outra' }))).toEqual([true, false, false]);
  });
});

describe('the former primary contact is raised', () => {
  let paths: string[];
  let organizationId: string;
  beforeAll(async () => {
    ({ id: organizationId } = await organizationOf(world));
    const create = (isPrimary: boolean) =>
      call<OrganizationContact>('POST /api/organization-contacts', { organizationId, type: 'PHONE', value: '1', isPrimary });
    paths = [await create(true), await create(false), await create(false)].map(({ id }) => contactPath(id));
  });

  test('when another contact becomes primary', async () => {
    expect(await raises(paths, () => call(`PUT ${paths[1]}`, { isPrimary: true }))).toEqual([true, true, false]);
  });

  test('when a new contact is primary', async () => {
    const create = () => call('POST /api/organization-contacts', { organizationId, type: 'PHONE', value: '1', isPrimary: true });
    expect(await raises(paths, create)).toEqual([false, true, false]);
  });
});

describe('an organization scope', () => {
  let member: Person;
  let other: Person;
  let scopePath: string;
  let otherPath: string;
  beforeAll(async () => {
    const join = () => world.person({ [tenant.id]: 'coordinator' }, { roles: ['organizations:create'] });
    [member, other] = [await join(), await join()];
    scopePath = `/api/users/${member.id}/tenants/${tenant.id}/organizations`;
    otherPath = `/api/users/${other.id}/tenants/${tenant.id}/organizations`;
  });
  const restrictTo = (...organizationIds: string[]) => call(`PUT ${scopePath}`, { scope: 'RESTRICTED', organizationIds });
  const granted = async () => (await call<OrganizationScope>(`GET ${scopePath}`)).organizationIds;

  test('is raised when grants are added or removed, and not with equal grants', async () => {
    const [one, two] = [await linkedOrganization(world, tenant.id), await linkedOrganization(world, tenant.id)];
    expect(await raises([scopePath, otherPath], () => restrictTo())).toEqual([true, false]);
    expect(await raises([scopePath, otherPath], () => restrictTo(one))).toEqual([true, false]);
    expect(await raises([scopePath, otherPath], () => restrictTo(one, two))).toEqual([true, false]);
    expect(await raises([scopePath, otherPath], () => restrictTo(two, one, two))).toEqual([false, false]);
    expect(await raises([scopePath, otherPath], () => restrictTo(two))).toEqual([true, false]);
    expect(await raises([scopePath, otherPath], () => call(`PUT ${scopePath}`, { scope: 'ALL' }))).toEqual([true, false]);
  });

  test('is raised when a granted organization is unlinked or deleted', async () => {
    const [one, two, ungranted] = [
      await linkedOrganization(world, tenant.id),
      await linkedOrganization(world, tenant.id),
      await linkedOrganization(world, tenant.id),
    ];
    await restrictTo(one, two);
    const unlink = (id: string) => call(`DELETE /service/organizations/${id}/tenants`, undefined, tenant.service);
    expect(await raises([scopePath], () => unlink(ungranted))).toEqual([false]);
    expect(await raises([scopePath], () => unlink(one))).toEqual([true]);
    expect(await granted()).toEqual([two]);
    expect(await raises([scopePath], () => call(`DELETE ${organizationPath(two)}`))).toEqual([true]);
    expect(await granted()).toEqual([]);
  });

  test('is raised when its RESTRICTED member creates an organization', async () => {
    await restrictTo();
    const create = () => call<Organization>('POST /api/organizations', newOrganization(world), member);
    expect(await raises([scopePath, otherPath], create)).toEqual([true, false]);
    expect(await granted()).toHaveLength(1);
    expect(await raises([scopePath, otherPath], () => call('POST /api/organizations', newOrganization(world), other))).toEqual([
      false,
      false,
    ]);
  });

  test('is raised when the member becomes or ceases to be a tenant-admin, and not with other personas', async () => {
    const assign = (persona: string) => () => call(`POST /api/users/${member.id}/tenants`, { tenantId: tenant.id, persona });
    expect(await raises([scopePath], assign('viewer'))).toEqual([false]);
    expect(await raises([scopePath], assign('tenant-admin'))).toEqual([true]);
    expect(await raises([scopePath], assign('tenant-admin'))).toEqual([false]);
    expect(await raises([scopePath], assign('coordinator'))).toEqual([true]);
  });

  test('is raised when the user becomes or ceases to be Global, and not with other types', async () => {
    const change = (type: string) => () => call(`PUT /api/users/${member.id}`, { type });
    expect(await raises([scopePath], change('Coordinator'))).toEqual([false]);
    expect(await raises([scopePath, otherPath], change('Global'))).toEqual([true, false]);
    expect(await raises([scopePath], change('Technician'))).toEqual([true]);
  });
});
