import { idOf } from './ids.ts';
import { personName } from './names.ts';
import { type Size, tenant } from './size.ts';

/** Numbers of the users that the measurements use. All others have a membership or two somewhere. */
export const user = {
  global: 0,
  /** The first of the 20 members of the usual tenant. The first 8 are tenant-admins. */
  usualMember: 1,
  /** Tenant-admin of the largest tenant. */
  largestAdmin: 21,
  /** Tenant-admin of the tenant with one page of organizations. */
  onePageAdmin: 22,
  /** Tenant-admin of the tenant with 10,000 organizations. */
  tenThousandAdmin: 23,
  firstOther: 24,
} as const;
export const usualMembers = 20;
export const usualAdmins = 8;

const personas = ['tenant-admin', 'coordinator', 'technician', 'viewer'] as const;
const types = ['Admin', 'Coordinator', 'Technician', 'Cooperative'] as const;

export interface Person {
  id: string;
  identity: string;
  name: string;
  email: string;
  federalTaxId: string;
  type: string;
}

export const personOf = (n: number, { users }: Size): Person => ({
  id: idOf('user', n, users),
  identity: `8f14e45f-ceea-467f-a0e6-${n.toString(16).padStart(12, '0')}`,
  name: personName(n),
  email: `user${n}@example.com`,
  federalTaxId: cpf(100_000_000 + n),
  type: n === user.global ? 'Global' : (types[n % types.length] ?? 'Technician'),
});

/** The memberships of a user: tenant and persona. */
export function membershipsOf(n: number, { tenants }: Size): { tenant: number; persona: string }[] {
  if (n === user.global) return [];
  if (n < user.usualMember + usualMembers) return [{ tenant: tenant.usual, persona: n <= usualAdmins ? 'tenant-admin' : 'technician' }];
  if (n === user.largestAdmin) return [{ tenant: tenant.largest, persona: 'tenant-admin' }];
  if (n === user.onePageAdmin) return [{ tenant: tenant.onePage, persona: 'tenant-admin' }];
  if (n === user.tenThousandAdmin) return [{ tenant: tenant.tenThousand, persona: 'tenant-admin' }];
  const others = tenants.length - 3;
  const count = n % 3 === 0 ? 2 : 1;
  return Array.from({ length: count }, (_, index) => ({
    tenant: 3 + ((n + index * 17) % others),
    persona: personas[(n + index) % personas.length] ?? 'viewer',
  }));
}

/** The numbers of the tenants that no other measurement uses, each with the number of one of its tenant-admins. */
export function otherAdmins(size: Size): { tenant: number; user: number }[] {
  const admins = new Map<number, number>();
  for (let n = user.firstOther; n < size.users; n += 1) {
    const [first] = membershipsOf(n, size);
    if (first?.persona === 'tenant-admin' && !admins.has(first.tenant)) admins.set(first.tenant, n);
  }
  return [...admins].map(([number, admin]) => ({ tenant: number, user: admin }));
}

/** The CPF, a person's tax id, with these first nine digits. */
function cpf(firstDigits: number): string {
  const withCheckDigit = (digits: string) => {
    const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (digits.length + 1 - index), 0);
    return digits + String(((sum * 10) % 11) % 10);
  };
  return withCheckDigit(withCheckDigit(String(firstDigits)));
}
