import type { Persona } from './model.ts';

export type Action = 'create' | 'read' | 'update' | 'delete';
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Which users may call an endpoint of `/api`. */
export interface UserRule {
  kind: 'user';
  /** The exception role is `<module>:<action>`. */
  module: string;
  action: Action;
  /** Resource of an RPT permission. */
  resource: string;
  /** Only Global users may call it: no role and no persona opens it. */
  globalOnly: boolean;
  /** A persona opens it for the active tenant only. */
  ownTenant: boolean;
}
export type Rule = UserRule | { kind: 'me' } | { kind: 'service' };

type Options = Partial<Pick<UserRule, 'module' | 'globalOnly' | 'ownTenant'>>;
type Line = [action: Action, resource: string, options?: Options];

/** The five endpoints that most resources have. */
const crud = (module: string, key = 'id'): Record<string, Line> => ({
  [`POST /api/${module}`]: ['create', module],
  [`GET /api/${module}`]: ['read', module],
  [`GET /api/${module}/{${key}}`]: ['read', `${module}_id`],
  [`PUT /api/${module}/{${key}}`]: ['update', `${module}_id`],
  [`DELETE /api/${module}/{${key}}`]: ['delete', `${module}_id`],
});

/** Action and resource of each endpoint for users. */
const userEndpoints: Record<string, Line> = {
  ...crud('users'),
  'GET /api/users/{userId}/tenants': ['read', 'users_id'],
  'POST /api/users/{userId}/tenants': ['update', 'users_id'],
  'DELETE /api/users/{userId}/tenants/{tenantId}': ['update', 'users_id'],
  'GET /api/tenants/{tenantId}/users': ['read', 'tenants_id', { module: 'users' }],
  'GET /api/users/{userId}/tenants/{tenantId}/organizations': ['read', 'user-tenant-organizations', { globalOnly: true }],
  'PUT /api/users/{userId}/tenants/{tenantId}/organizations': ['update', 'user-tenant-organizations', { globalOnly: true }],
  ...crud('customers'),
  ...crud('apps'),
  ...crud('tenants'),
  // A member reads the active tenant and its organizations.
  'GET /api/tenants/{id}': ['read', 'tenants_id', { ownTenant: true }],
  'GET /api/tenants/{tenantId}/organizations': ['read', 'tenants_id', { ownTenant: true }],
  ...crud('organizations'),
  ...crud('organization-addresses'),
  ...crud('organization-contacts'),
  ...crud('document-types'),
  ...crud('states', 'stateCode'),
  ...crud('cities', 'ibgeCode'),
  ...crud('attachments'),
  'GET /api/cooperatives': ['read', 'cooperatives'],
  'GET /api/audit-entries': ['read', 'audit-entries'],
};

const meEndpoints = ['GET /api/me/tenants', 'GET /api/me/permissions'];

/**
 * Returns the rule of an endpoint. It is transcribed from the specification and not read from the contract, so that tests notice a wrong contract.
 * Throws for an unknown endpoint: a new one needs a line above.
 */
export function ruleOf(method: Method, path: string): Rule {
  const endpoint = `${method} ${path}`;
  if (path.startsWith('/service/')) return { kind: 'service' };
  if (meEndpoints.includes(endpoint)) return { kind: 'me' };
  const line = userEndpoints[endpoint];
  if (!line) throw new Error(`${endpoint} has no rule: add a line to apps/api/test/oracle/rules.ts`);
  const [action, resource, options] = line;
  const module = resource.replace(/_id$/, '');
  return { kind: 'user', module, action, resource: `resource:${resource}`, globalOnly: false, ownTenant: false, ...options };
}

/** Neither RPT permissions nor super_admin open these modules. */
const reserved = ['users', 'user-tenant-organizations', 'customers', 'organization-addresses', 'cooperatives', 'audit-entries'];

/** The persona matrix (ACCESS-10): what tenant-admin, coordinator, technician and viewer may do. */
const matrix: Record<string, [tenantAdmin: string, coordinator: string, technician: string, viewer: string]> = {
  'organization-addresses': ['CRUD', 'CRU', 'CRU', 'R'],
  cooperatives: ['R', '', '', ''],
  'audit-entries': ['R', '', '', ''],
  organizations: ['CRUD', 'RU', 'R', 'R'],
  'organization-contacts': ['CRUD', 'CRU', 'CRU', 'R'],
  attachments: ['CRUD', 'CRU', 'CRU', 'R'],
  'document-types': ['R', 'R', 'R', 'R'],
  states: ['R', 'R', 'R', 'R'],
  cities: ['R', 'R', 'R', 'R'],
};
const columns: readonly Persona[] = ['tenant-admin', 'coordinator', 'technician', 'viewer'];
const letters = { create: 'C', read: 'R', update: 'U', delete: 'D' };

export const modules: readonly string[] = [...Object.keys(matrix), 'users', 'user-tenant-organizations', 'customers', 'apps', 'tenants'];

export const isReserved = ({ module }: UserRule): boolean => reserved.includes(module);

export const personaMay = (persona: Persona, { module, action, ownTenant }: UserRule): boolean =>
  ownTenant || (matrix[module]?.[columns.indexOf(persona)]?.includes(letters[action]) ?? false);
