import { newCity, newOrganization, praca } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { linkedOrganization, organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import type { City, Organization, OrganizationScope } from '../support/records.ts';
import { useTenant } from '../support/use-people.ts';

/** Changes of a record through a request about another record raise its version. */
const world = useWorldWithMap();
const tenant = useTenant(world);

/** Sends a request as the Global user. Throws unless it succeeds. */
async function call<Body = { id: string }>(target: string, body?: unknown, actor = world.global): Promise<Body> {
  const response = await world.call<Body>(actor, target, body);
  if (response.status >= 300) throw new Error(`${target} returned ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body;
}
const versionOf = async (path: string): Promise<number> =>
  Number((await world.call(world.global, `GET ${path}`)).headers.get('etag')?.replaceAll('"', ''));

/** Runs the change. Expects that it raises the versions of the first records, and not those of the others. */
async function expectRaised(raised: readonly string[], others: readonly string[], change: () => Promise<unknown>): Promise<void> {
  const paths = [...raised, ...others];
  const before = await Promise.all(paths.map(versionOf));
  await change();
  const after = await Promise.all(paths.map(versionOf));
  expect([...before, ...after].every(Number.isInteger)).toBe(true);
  expect(paths.filter((_, index) => after[index]! > before[index]!)).toEqual(raised);
}

const organizationPath = (id: string) => `/api/organizations/${id}`;
const addressPath = (id: string | null) => `/api/organization-addresses/${id}`;

describe('an address', () => {
  test('raises its organization when it is created, or deleted while it is current, and the address that it closes', async () => {
    const { id, organizationAddressId: closed } = await organizationOf(world);
    const others = [organizationPath((await organizationOf(world)).id)];
    let current = '';
    await expectRaised([organizationPath(id), addressPath(closed)], others, async () => {
      ({ id: current } = await call('POST /api/organization-addresses', { organizationId: id, ...praca }));
    });
    await expectRaised([organizationPath(id)], [addressPath(closed)], () => call(`DELETE ${addressPath(current)}`));
    await expectRaised([], [organizationPath(id)], () => call(`DELETE ${addressPath(closed)}`));
  });

  test('is raised when its city moves to another state', async () => {
    const { ibgeCode, stateCode } = await call<City>('POST /api/cities', newCity());
    const inCity = { ...newOrganization(world), address: { ...praca, cityCode: ibgeCode, stateCode } };
    const [inside, outside] = [await call<Organization>('POST /api/organizations', inCity), await organizationOf(world)];
    const [address, other] = [addressPath(inside.organizationAddressId), addressPath(outside.organizationAddressId)];
    const city = `/api/cities/${ibgeCode}`;
    await expectRaised([city, address], [other], () => call(`PUT ${city}`, { stateCode: 41 }));
    await expectRaised([city], [address, other], () => call(`PUT ${city}`, { name: 'Outra' }));
  });
});

test('the former primary contact is raised when another or a new contact becomes primary', async () => {
  const { id: organizationId } = await organizationOf(world);
  const create = async (isPrimary: boolean) =>
    `/api/organization-contacts/${(await call('POST /api/organization-contacts', { organizationId, type: 'PHONE', value: '1', isPrimary })).id}`;
  const [one, two, three] = [await create(true), await create(false), await create(false)];
  await expectRaised([one, two], [three], () => call(`PUT ${two}`, { isPrimary: true }));
  await expectRaised([two], [one, three], () => create(true));
});

describe('an organization scope', () => {
  let [member, other]: Person[] = [];
  let path: string;
  let otherPath: string;
  beforeAll(async () => {
    const join = () => world.person({ [tenant.id]: 'coordinator' }, { roles: ['organizations:create'] });
    [member, other] = [await join(), await join()];
    [path, otherPath] = [member, other].map(({ id }) => `/api/users/${id}/tenants/${tenant.id}/organizations`) as [string, string];
  });
  const restrictTo = (...organizationIds: string[]) => call(`PUT ${path}`, { scope: 'RESTRICTED', organizationIds });
  const granted = async () => (await call<OrganizationScope>(`GET ${path}`)).organizationIds;
  const newOrganizations = async () => [await linkedOrganization(world, tenant.id), await linkedOrganization(world, tenant.id)] as const;

  test('is raised when grants are added or removed, and not with equal grants', async () => {
    const [one, two] = await newOrganizations();
    for (const ids of [[], [one], [one, two], [two]]) await expectRaised([path], [otherPath], () => restrictTo(...ids));
    await expectRaised([], [path, otherPath], () => restrictTo(two, two));
    await expectRaised([path], [otherPath], () => call(`PUT ${path}`, { scope: 'ALL' }));
  });

  test('is raised when a granted organization is unlinked or deleted', async () => {
    const [[one, two], [ungranted]] = [await newOrganizations(), await newOrganizations()];
    await restrictTo(one, two);
    const unlink = (id: string) => call(`DELETE /service/organizations/${id}/tenants`, undefined, tenant.service);
    await expectRaised([], [path], () => unlink(ungranted));
    await expectRaised([path], [], () => unlink(one));
    expect(await granted()).toEqual([two]);
    await expectRaised([path], [], () => call(`DELETE ${organizationPath(two)}`));
    expect(await granted()).toEqual([]);
  });

  test('is raised when its RESTRICTED member creates an organization', async () => {
    await restrictTo();
    const create = (by?: Person) => () => call('POST /api/organizations', newOrganization(world), by);
    await expectRaised([path], [otherPath], create(member));
    expect(await granted()).toHaveLength(1);
    await expectRaised([], [path, otherPath], create(other));
  });

  test('is raised when the member becomes or ceases to be a tenant-admin or Global, and not with other personas or types', async () => {
    const assign = (persona: string) => () => call(`POST /api/users/${member?.id}/tenants`, { tenantId: tenant.id, persona });
    await expectRaised([], [path], assign('viewer'));
    await expectRaised([path], [otherPath], assign('tenant-admin'));
    await expectRaised([], [path], assign('tenant-admin'));
    await expectRaised([path], [], assign('coordinator'));
    const change = (type: string) => () => call(`PUT /api/users/${member?.id}`, { type });
    await expectRaised([], [path], change('Coordinator'));
    await expectRaised([path], [otherPath], change('Global'));
    await expectRaised([path], [], change('Technician'));
  });
});
