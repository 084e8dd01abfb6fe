import { access, type Persona, type UserAccess } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { type Decision, may } from '../../src/index.ts';
import { permissionKey } from '../../src/claims.ts';

const tenant = 'a-tenant';

interface Who {
  isGlobal?: boolean;
  persona?: Persona;
  roles?: string[];
  permissions?: [resource: string, scope: string][];
  isSuperAdmin?: boolean;
}

function decide({ isGlobal = false, persona, roles = [], permissions = [], isSuperAdmin = false }: Who, endpoint: UserAccess): Decision {
  return may(
    {
      kind: 'user',
      userId: 'a-user',
      name: 'Ana',
      email: 'ana@example.com',
      type: isGlobal ? 'Global' : 'Technician',
      isGlobal,
      tenant: persona ? { id: tenant, persona } : null,
      refusal: null,
      organizationScope: { kind: 'none' },
      claims: {
        sub: 'a-person',
        azp: 'web',
        hasSession: true,
        roles: new Set(roles),
        isSuperAdmin,
        permissions: new Set(permissions.map(([resource, scope]) => permissionKey(resource, scope))),
      },
    },
    endpoint,
  );
}

const row = {
  createUser: access.user('users', 'create', 'resource:users'),
  tenantUsers: access.user('users', 'read', 'resource:tenants'),
  setScope: access.user('user-tenant-organizations', 'update', 'resource:users', { globalOnly: true }),
  createCustomer: access.user('customers', 'create', 'resource:customers'),
  createApp: access.user('apps', 'create', 'resource:apps'),
  getTenant: access.user('tenants', 'read', 'resource:tenants', { ownTenant: 'id' }),
  listTenants: access.user('tenants', 'read', 'resource:tenants'),
  listCooperatives: access.user('cooperatives', 'read', 'resource:organizations'),
  createOrganization: access.user('organizations', 'create', 'resource:organizations'),
  updateOrganization: access.user('organizations', 'update', 'resource:organizations'),
  readOrganization: access.user('organizations', 'read', 'resource:organizations'),
  createAddress: access.user('organization-addresses', 'create', 'resource:organization-addresses'),
  deleteAddress: access.user('organization-addresses', 'delete', 'resource:organization-addresses'),
  updateContact: access.user('organization-contacts', 'update', 'resource:organization-contacts'),
  readCity: access.user('cities', 'read', 'resource:cities'),
  createCity: access.user('cities', 'create', 'resource:cities'),
};
type Name = keyof typeof row;

/** Each line by hand from the table of who may do what: y allowed, - denied, o only on the own active tenant. */
const byPersona: [Name, string][] = [
  //                     admin coordinator technician viewer
  ['createUser', '----'],
  ['tenantUsers', '----'],
  ['setScope', '----'],
  ['createCustomer', '----'],
  ['createApp', '----'],
  ['listTenants', '----'],
  ['getTenant', 'oooo'],
  ['listCooperatives', 'y---'],
  ['createOrganization', 'y---'],
  ['updateOrganization', 'yy--'],
  ['readOrganization', 'yyyy'],
  ['createAddress', 'yyy-'],
  ['deleteAddress', 'y---'],
  ['updateContact', 'yyy-'],
  ['readCity', 'yyyy'],
  ['createCity', '----'],
];
const personas: Persona[] = ['tenant-admin', 'coordinator', 'technician', 'viewer'];
const marks: Record<Decision, string> = { allowed: 'y', 'own-tenant': 'o', denied: '-' };

test.each(byPersona)('the personas at %s: %s', (name, line) => {
  expect(personas.map((persona) => marks[decide({ persona }, row[name])]).join('')).toBe(line);
});

test.each(byPersona)('a Global user passes at %s', (name) => {
  expect(decide({ isGlobal: true }, row[name])).toBe('allowed');
});

test.each(byPersona)('a caller without persona, role or permission does not at %s', (name) => {
  expect(decide({}, row[name])).toBe('denied');
});

describe('an exception role', () => {
  test.each<[Name, string, Decision]>([
    ['createUser', 'users:create', 'allowed'],
    ['createUser', 'users:update', 'denied'],
    ['createUser', 'customers:create', 'denied'],
    ['createUser', 'users:*', 'denied'],
    ['createUser', 'Users:Create', 'denied'],
    ['tenantUsers', 'users:read', 'allowed'],
    ['tenantUsers', 'tenants:read', 'denied'],
    ['listCooperatives', 'cooperatives:read', 'allowed'],
    ['listCooperatives', 'organizations:read', 'denied'],
    ['getTenant', 'tenants:read', 'allowed'],
    ['createCity', 'cities:create', 'allowed'],
    ['setScope', 'user-tenant-organizations:update', 'denied'],
  ])('%s with %s: %s', (name, role, decision) => {
    expect(decide({ roles: [role] }, row[name])).toBe(decision);
    expect(decide({ roles: [role], persona: 'viewer' }, row[name])).toBe(decision);
  });
});

describe('an RPT permission', () => {
  test.each<[Name, [string, string], Decision]>([
    ['createOrganization', ['resource:organizations', 'create'], 'allowed'],
    ['createOrganization', ['resource:organizations', 'read'], 'denied'],
    ['createOrganization', ['resource:cities', 'create'], 'denied'],
    ['createApp', ['resource:apps', 'create'], 'allowed'],
    ['getTenant', ['resource:tenants', 'read'], 'allowed'],
    ['createUser', ['resource:users', 'create'], 'denied'],
    ['tenantUsers', ['resource:tenants', 'read'], 'denied'],
    ['createCustomer', ['resource:customers', 'create'], 'denied'],
    ['createAddress', ['resource:organization-addresses', 'create'], 'denied'],
    ['listCooperatives', ['resource:organizations', 'read'], 'denied'],
    ['setScope', ['resource:users', 'update'], 'denied'],
  ])('%s with %j: %s', (name, permission, decision) => {
    expect(decide({ permissions: [permission] }, row[name])).toBe(decision);
  });
});

test.each<[Name, Decision]>([
  ['createApp', 'allowed'],
  ['listTenants', 'allowed'],
  ['getTenant', 'allowed'],
  ['createOrganization', 'allowed'],
  ['updateContact', 'allowed'],
  ['createCity', 'allowed'],
  ['createUser', 'denied'],
  ['tenantUsers', 'denied'],
  ['createCustomer', 'denied'],
  ['createAddress', 'denied'],
  ['listCooperatives', 'denied'],
  ['setScope', 'denied'],
])('super_admin at %s: %s', (name, decision) => {
  expect(decide({ isSuperAdmin: true }, row[name])).toBe(decision);
});
