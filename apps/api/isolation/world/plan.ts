import fc from 'fast-check';
import { personas } from '../../test/oracle/model.ts';
import { modules } from '../../test/oracle/rules.ts';
import type { Token } from '../../test/oracle/token.ts';

export type TokenTraits = Partial<Pick<Token, 'azp' | 'hasSession' | 'realmRoles' | 'clientRoles' | 'otherClientRoles' | 'permission'>>;

const mostly = (usual: boolean, odds = 5) =>
  fc.oneof({ weight: odds, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(!usual) });

const actions = ['create', 'read', 'update', 'delete'];
const exception = fc.record({ module: fc.constantFrom(...modules), action: fc.constantFrom(...actions) });
/** Roles that permit what no persona may do, or no RESTRICTED member. */
const beyondPersonas = [
  ...actions.map((action) => `users:${action}`),
  ...['read', 'update'].map((action) => `user-tenant-organizations:${action}`),
  ...['create', 'delete'].map((action) => `organizations:${action}`),
  ...Array.from({ length: 4 }, () => 'cities:update'),
  ...Array.from({ length: 3 }, () => 'events:read'),
  ...['create', 'read', 'read'].map((action) => `imports:${action}`),
];
const role = fc.oneof(
  exception.map(({ module, action }) => `${module}:${action}`),
  fc.constantFrom(...beyondPersonas),
);
const roles = fc.array(role, { minLength: 1, maxLength: 4, size: 'max' });
const permission = fc
  .record({ exception, ofOne: fc.boolean(), forOther: mostly(false, 2) })
  .map(({ exception: { module, action }, ofOne, forOther }) => ({ forOther, resource: `resource:${module}${ofOne ? '_id' : ''}`, action }));

/** The client of the tenant at this index. */
export const clientOf = (tenant: number): string => `client-${tenant}`;

const traits: fc.Arbitrary<TokenTraits> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 4, arbitrary: roles.map((realmRoles) => ({ realmRoles })) },
  { weight: 1, arbitrary: roles.map((clientRoles) => ({ clientRoles })) },
  { weight: 1, arbitrary: roles.map((names) => ({ otherClientRoles: [...names, 'super_admin'] })) },
  { weight: 1, arbitrary: fc.constant({ clientRoles: ['super_admin'] }) },
  { weight: 1, arbitrary: fc.constant({ realmRoles: ['super_admin'] }) },
  { weight: 2, arbitrary: permission.map((permitted) => ({ permission: permitted })) },
  { weight: 1, arbitrary: fc.record({ azp: fc.nat(3).map(clientOf), hasSession: fc.boolean() }) },
);

const membership = fc.record({
  tenant: fc.nat(3),
  persona: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...personas) }, { weight: 1, arbitrary: fc.constant(null) }),
  restricted: fc.boolean(),
  granted: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
});

const person = fc.record({
  type: fc.constantFrom('Technician', 'Admin', 'Coordinator', 'Cooperative', 'Technician', 'Global'),
  deleted: mostly(false, 10),
  // How each of the person's tokens differs from that of a plain login.
  tokens: fc.array(traits, { minLength: 1, maxLength: 2 }),
  memberships: fc.uniqueArray(membership, { maxLength: 3, size: 'max', selector: ({ tenant }) => tenant }),
});

const organization = fc.record({
  deleted: mostly(false, 7),
  links: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  contacts: fc.nat(2),
  // Uploads for the organization, with their person and tenant.
  attachments: fc.array(fc.record({ person: fc.nat(5), tenant: fc.nat(3) }), { maxLength: 1 }),
});

/** Small worlds: random calls reach every state often. */
export const plans = fc.noBias(
  fc.record({
    tenants: fc.array(fc.record({ active: mostly(true) }), { minLength: 2, maxLength: 4, size: 'max' }),
    people: fc.array(person, { minLength: 2, maxLength: 6, size: 'max' }),
    organizations: fc.array(organization, { minLength: 2, maxLength: 6, size: 'max' }),
  }),
);

/** The initial records of a world. A tenant or person is referred to by its index; an index beyond the end is ignored. */
export type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;
