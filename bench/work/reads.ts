import { idOf } from '../data/ids.ts';
import { linksOf } from '../data/links.ts';
import { filteredPlaces } from '../data/names.ts';
import { usualAdmins } from '../data/people.ts';
import { type Size, type SizeName, sizes, tenant } from '../data/size.ts';
import { tenantId } from '../data/tables.ts';
import { asGlobal, asLargestAdmin, asUsualAdmin } from './callers.ts';
import type { Work } from './work.ts';

/** The number of the nth organization of the usual tenant. */
export const usualOrganizationNumber = (size: Size, n: number): number =>
  linksOf(size).organizationOf(tenant.usual, n % (size.tenants[tenant.usual] ?? 1));

/** The id of the nth organization of the usual tenant. */
export function usualOrganization(sizeName: SizeName, n: number): string {
  const size = sizes[sizeName];
  return idOf('organization', usualOrganizationNumber(size, n), size.organizations);
}

const organizations = '/api/organizations';
const read = { status: 200, onFloor: true } as const;
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

export const reads = [
  {
    ...read,
    name: 'get by id',
    different: 200,
    request: (world, n) => ({ ...asUsualAdmin(world, n), method: 'GET', path: `${organizations}/${usualOrganization(world.size, n)}` }),
  },
  {
    ...read,
    name: 'list of 20',
    different: usualAdmins,
    request: (world, n) => ({ ...asUsualAdmin(world, n), method: 'GET', path: organizations }),
  },
  {
    ...read,
    name: 'list with a name filter',
    different: usualAdmins,
    request: (world, n) => ({
      ...asUsualAdmin(world, n),
      method: 'GET',
      path: `${organizations}?name=${filteredPlaces.usual.filter}&limit=50`,
    }),
  },
  {
    ...read,
    name: 'unscoped list',
    different: 1,
    request: (world) => ({ ...asGlobal(world), method: 'GET', path: organizations }),
  },
  {
    ...read,
    name: 'members of a tenant',
    different: 1,
    request: (world) => ({ ...asGlobal(world), method: 'GET', path: `/api/tenants/${tenantId(tenant.usual, sizes[world.size])}/users` }),
  },
  {
    ...read,
    onFloor: false,
    name: 'permissions in the largest tenant',
    different: 1,
    request: (world) => ({ ...asLargestAdmin(world), method: 'GET', path: '/api/me/permissions' }),
  },
  {
    ...read,
    onFloor: false,
    name: 'get over tRPC',
    different: 200,
    request: (world, n) => ({
      ...asUsualAdmin(world, n),
      method: 'GET',
      path: `/trpc/organizations.get?input=${json({ id: usualOrganization(world.size, n) })}`,
    }),
  },
  {
    ...read,
    onFloor: false,
    name: 'tRPC batch of 10',
    different: 200,
    request: (world, n) => {
      const inputs = Array.from({ length: 10 }, (_, index) => ({ id: usualOrganization(world.size, 10 * n + index) }));
      const path = inputs.map(() => 'organizations.get').join(',');
      return {
        ...asUsualAdmin(world, n),
        method: 'GET',
        path: `/trpc/${path}?batch=1&input=${json(Object.fromEntries(inputs.entries()))}`,
      };
    },
  },
] satisfies Work[];
