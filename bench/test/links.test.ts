import { expect, test } from 'vitest';
import { linksOf } from '../data/links.ts';
import { sizes } from '../data/size.ts';

const { small } = sizes;
const links = linksOf(small);
const organizations = Array.from({ length: small.organizations }, (_, n) => n);

test('gives each tenant its number of different organizations', () => {
  const counts = new Map<number, number>();
  for (const organization of organizations)
    for (const { tenant } of links.tenantsOf(organization)) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
  expect(small.tenants.map((_, tenant) => counts.get(tenant))).toEqual(small.tenants);
});

test('finds an organization by its position in a tenant, and the position by the organization', () => {
  for (const [tenant, size] of small.tenants.entries()) {
    const last = size - 1;
    expect(links.tenantsOf(links.organizationOf(tenant, last))).toContainEqual({ tenant, n: last });
  }
});

test('links some organizations to two tenants, and some to none', () => {
  const numbers = new Set(organizations.map((organization) => links.tenantsOf(organization).length));
  expect(numbers).toEqual(new Set([0, 1, 2]));
});
