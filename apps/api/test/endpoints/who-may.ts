import type { Persona } from '@profile-service/contracts';
import type { RowName } from './samples.ts';

export interface UserRule {
  kind: 'user';
  /** Exception role: realm role, or role of this service's own client. */
  role: string;
  /** Of an RPT permission. */
  resource: string;
  /** Part 4 restricts the personas: neither RPT permissions nor super_admin open the row. */
  reserved: boolean;
  /** No role opens the row. */
  globalOnly: boolean;
  /** Who passes by the persona in the active tenant. */
  personas: readonly Persona[];
}
export type Rule = UserRule | { kind: 'me' } | { kind: 'service' };

const reserved = (role: string, resource: string, ...personas: Persona[]): UserRule => ({
  kind: 'user',
  role,
  resource: `resource:${resource}`,
  reserved: true,
  globalOnly: false,
  personas,
});
const forGlobalUsers = (role: string, resource: string): UserRule => ({ ...reserved(role, resource), globalOnly: true });
const open = (role: string, resource: string, ...personas: Persona[]): UserRule => ({
  ...reserved(role, resource, ...personas),
  reserved: false,
});
const everyPersona = ['tenant-admin', 'coordinator', 'technician', 'viewer'] as const;
const workers = ['tenant-admin', 'coordinator', 'technician'] as const;
const aboutTheCaller: Rule = { kind: 'me' };
const application: Rule = { kind: 'service' };

/**
 * Who may call each row: written down from the tables of specification part 4 and the matrix of the decisions (part 2), and on purpose
 * not made from the contract, which it is to catch when that strays. A new row needs a line here.
 */
const whoMay = {
  'users.create': reserved('users:create', 'users'),
  'users.list': reserved('users:read', 'users'),
  'users.get': reserved('users:read', 'users_id'),
  'users.update': reserved('users:update', 'users_id'),
  'users.remove': reserved('users:delete', 'users_id'),
  'memberships.list': reserved('users:read', 'users_id'),
  'memberships.assign': reserved('users:update', 'users_id'),
  'memberships.remove': reserved('users:update', 'users_id'),
  'memberships.users': reserved('users:read', 'tenants_id'),
  'organizationScopes.get': forGlobalUsers('user-tenant-organizations:read', 'user-tenant-organizations'),
  'organizationScopes.set': forGlobalUsers('user-tenant-organizations:update', 'user-tenant-organizations'),
  'customers.create': reserved('customers:create', 'customers'),
  'customers.list': reserved('customers:read', 'customers'),
  'customers.get': reserved('customers:read', 'customers_id'),
  'customers.update': reserved('customers:update', 'customers_id'),
  'customers.remove': reserved('customers:delete', 'customers_id'),
  'apps.create': open('apps:create', 'apps'),
  'apps.list': open('apps:read', 'apps'),
  'apps.get': open('apps:read', 'apps_id'),
  'apps.update': open('apps:update', 'apps_id'),
  'apps.remove': open('apps:delete', 'apps_id'),
  'tenants.create': open('tenants:create', 'tenants'),
  'tenants.list': open('tenants:read', 'tenants'),
  'tenants.get': open('tenants:read', 'tenants_id', ...everyPersona),
  'tenants.update': open('tenants:update', 'tenants_id'),
  'tenants.remove': open('tenants:delete', 'tenants_id'),
  'tenants.organizations': open('tenants:read', 'tenants_id', ...everyPersona),
  'organizations.create': open('organizations:create', 'organizations', 'tenant-admin'),
  'organizations.list': open('organizations:read', 'organizations', ...everyPersona),
  'organizations.get': open('organizations:read', 'organizations_id', ...everyPersona),
  'organizations.update': open('organizations:update', 'organizations_id', 'tenant-admin', 'coordinator'),
  'organizations.remove': open('organizations:delete', 'organizations_id', 'tenant-admin'),
  'organizationAddresses.create': reserved('organization-addresses:create', 'organization-addresses', ...workers),
  'organizationAddresses.list': reserved('organization-addresses:read', 'organization-addresses', ...everyPersona),
  'organizationAddresses.get': reserved('organization-addresses:read', 'organization-addresses_id', ...everyPersona),
  'organizationAddresses.update': reserved('organization-addresses:update', 'organization-addresses_id', ...workers),
  'organizationAddresses.remove': reserved('organization-addresses:delete', 'organization-addresses_id', 'tenant-admin'),
  'organizationContacts.create': open('organization-contacts:create', 'organization-contacts', ...workers),
  'organizationContacts.list': open('organization-contacts:read', 'organization-contacts', ...everyPersona),
  'organizationContacts.get': open('organization-contacts:read', 'organization-contacts_id', ...everyPersona),
  'organizationContacts.update': open('organization-contacts:update', 'organization-contacts_id', ...workers),
  'organizationContacts.remove': open('organization-contacts:delete', 'organization-contacts_id', 'tenant-admin'),
  'documentTypes.create': open('document-types:create', 'document-types'),
  'documentTypes.list': open('document-types:read', 'document-types', ...everyPersona),
  'documentTypes.get': open('document-types:read', 'document-types_id', ...everyPersona),
  'documentTypes.update': open('document-types:update', 'document-types_id'),
  'documentTypes.remove': open('document-types:delete', 'document-types_id'),
  'states.create': open('states:create', 'states'),
  'states.list': open('states:read', 'states', ...everyPersona),
  'states.get': open('states:read', 'states_id', ...everyPersona),
  'states.update': open('states:update', 'states_id'),
  'states.remove': open('states:delete', 'states_id'),
  'cities.create': open('cities:create', 'cities'),
  'cities.list': open('cities:read', 'cities', ...everyPersona),
  'cities.get': open('cities:read', 'cities_id', ...everyPersona),
  'cities.update': open('cities:update', 'cities_id'),
  'cities.remove': open('cities:delete', 'cities_id'),
  'attachments.create': open('attachments:create', 'attachments', ...workers),
  'attachments.list': open('attachments:read', 'attachments', ...everyPersona),
  'attachments.get': open('attachments:read', 'attachments_id', ...everyPersona),
  'attachments.update': open('attachments:update', 'attachments_id', ...workers),
  'attachments.remove': open('attachments:delete', 'attachments_id', 'tenant-admin'),
  'me.tenants': aboutTheCaller,
  'me.permissions': aboutTheCaller,
  'cooperatives.list': reserved('cooperatives:read', 'cooperatives', 'tenant-admin'),
  'service.users.create': application,
  'service.organizations.list': application,
  'service.organizations.create': application,
  'service.organizations.link': application,
  'service.organizations.unlink': application,
  'service.organizations.findByFederalTaxId': application,
  'service.cooperatives.list': application,
  'service.documents.list': application,
} satisfies Record<RowName, Rule>;

/** The rule of a row. Throws where the table above has none. */
export function ruleOf(name: string): Rule {
  const rule = (whoMay as Record<string, Rule>)[name];
  if (!rule) throw new Error(`Nobody has said who may call ${name}: add a line to apps/api/test/endpoints/who-may.ts`);
  return rule;
}

export const scopeOf = ({ role }: UserRule): string => role.slice(role.indexOf(':') + 1);
/** A scope that is not the row's. */
export const anotherScope = (rule: UserRule): string => (scopeOf(rule) === 'read' ? 'create' : 'read');
export const anotherRole = (rule: UserRule): string => rule.role.replace(/:.*/, `:${anotherScope(rule)}`);
/** For callers of rows that know no role. */
export const anyRule: UserRule = reserved('users:read', 'users');
