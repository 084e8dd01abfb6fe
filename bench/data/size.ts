export type SizeName = 'small' | 'large' | 'quick-large' | 'load-test';

/** How much data a database has. */
export interface Size {
  name: SizeName;
  organizations: number;
  users: number;
  /** Organizations of each tenant, by its number: a few large tenants and many small ones. */
  tenants: readonly number[];
}

/** Numbers of the tenants that the measurements use. */
export const tenant = {
  /** The tenant with the most organizations. */
  largest: 0,
  /** Has exactly one page of 20 organizations. */
  onePage: 1,
  /** Has 200 organizations and 20 members. */
  usual: 2,
  /** Has a tenth of the organizations of the largest one: 10,000 in the large database. */
  tenThousand: 9,
} as const;

/** Organizations whose name contains the text that a name filter looks for: in the largest tenant, and in the usual one. */
export const namedOrganizations = 20;

export const sizes: Record<SizeName, Size> = {
  small: { name: 'small', organizations: 10_000, users: 1_000, tenants: tenantSizes(100, 2_200) },
  large: { name: 'large', organizations: 1_000_000, users: 100_000, tenants: tenantSizes(10_000, 100_000) },
  /** Replaces `large` in a quick run. */
  'quick-large': { name: 'quick-large', organizations: 300_000, users: 30_000, tenants: tenantSizes(1_000, 100_000) },
  /** For the load test: one tenant with 100,000 organizations, and 30 equal ones. */
  'load-test': { name: 'load-test', organizations: 130_000, users: 1_000, tenants: [100_000, 20, 200, ...Array<number>(30).fill(300)] },
};

/** Sizes by Zipf's law: the tenant with rank n has 1/n of the organizations of the largest, but at least 10. */
function tenantSizes(count: number, largest: number): number[] {
  const counts = Array.from({ length: count }, (_, rank) => Math.max(10, Math.round(largest / (rank + 1))));
  counts[tenant.onePage] = 20;
  counts[tenant.usual] = 200;
  return counts;
}
