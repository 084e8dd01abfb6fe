import type { Size } from './size.ts';

/** A prime: multiples of it, modulo the number of organizations, spread a tenant's organizations evenly over time. */
const stride = 982_451_653;

/** Which organization belongs to which tenants. */
export interface Links {
  /** The number of the organization that is the nth of a tenant. */
  organizationOf(tenant: number, n: number): number;
  /** The tenants of an organization, and its position in each. */
  tenantsOf(organization: number): { tenant: number; n: number }[];
}

/** Links 85 % of the organizations to tenants, some of them to two. The others belong to no tenant. */
export function linksOf({ organizations, tenants }: Size): Links {
  const linked = Math.floor(organizations * 0.85);
  const inverse = inverseOf(stride, linked);
  const starts: number[] = [];
  let total = 0;
  for (const size of tenants) {
    starts.push(total);
    total += size;
  }
  const at = (position: number) => {
    const tenant = lastAtMost(starts, position);
    return { tenant, n: position - (starts[tenant] ?? 0) };
  };
  return {
    organizationOf: (tenant, n) => ((((starts[tenant] ?? 0) + n) % linked) * (stride % linked)) % linked,
    tenantsOf(organization) {
      const found: { tenant: number; n: number }[] = [];
      if (organization >= linked) return found;
      for (let position = (organization * inverse) % linked; position < total; position += linked) found.push(at(position));
      return found;
    },
  };
}

/** The last index whose value is at most the limit. The values ascend. */
function lastAtMost(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((values[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The number that, multiplied by `value`, is 1 modulo `modulus` (extended Euclidean algorithm). */
function inverseOf(value: number, modulus: number): number {
  let [a, b, x, y] = [value % modulus, modulus, 1, 0];
  while (b !== 0) {
    const quotient = Math.floor(a / b);
    [a, b, x, y] = [b, a - quotient * b, y, x - quotient * y];
  }
  return ((x % modulus) + modulus) % modulus;
}
