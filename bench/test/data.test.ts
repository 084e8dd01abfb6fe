import { expect, test } from 'vitest';
import { idOf } from '../data/ids.ts';
import { linksOf } from '../data/links.ts';
import { sizes } from '../data/size.ts';

test('ids are UUIDs of version 7 that sort by creation and differ by kind', () => {
  const ids = [0, 1, 2, 999_998, 999_999].map((n) => idOf('organization', n, 1_000_000));
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(idOf('contact', 5, 10)).not.toBe(idOf('address', 5, 10));
});

test('each tenant has its number of different organizations, and some organizations have two tenants or none', () => {
  const links = linksOf(sizes.small);
  const linked = Array.from({ length: sizes.small.organizations }, (_, organization) => links.tenantsOf(organization));
  const counts = sizes.small.tenants.map((_, tenant) => linked.filter((found) => found.some((link) => link.tenant === tenant)).length);
  expect(counts).toEqual(sizes.small.tenants);
  expect(new Set(linked.map(({ length }) => length))).toEqual(new Set([0, 1, 2]));
  for (const [tenant, size] of sizes.small.tenants.entries())
    expect(links.tenantsOf(links.organizationOf(tenant, size - 1))).toContainEqual({ tenant, n: size - 1 });
});
