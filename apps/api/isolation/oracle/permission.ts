import { type Persona, personas } from '../model.ts';
import type { Standing } from './standing.ts';

/** What the tables of specification part 4 say about a endpoint, read off its address. */
export interface Rule {
  family: 'user' | 'me' | 'service';
  module: string;
  scope: 'create' | 'read' | 'update' | 'delete';
  resource: string;
  /** 4.3: no role opens it. */
  globalAlone: boolean;
  /** Personas see the active tenant alone. */
  ownTenant: boolean;
}

const scopeOf = { POST: 'create', GET: 'read', PUT: 'update', DELETE: 'delete' } as const;
export type Method = keyof typeof scopeOf;

export function ruleOf(method: Method, path: string): Rule {
  const [, face, first = '', ...more] = path.split('/');
  const family = face === 'service' ? 'service' : first === 'me' ? 'me' : 'user';
  const third = more[1];
  const rule: Rule = {
    family,
    module: first,
    scope: scopeOf[method],
    resource: `resource:${first}${more.length > 0 ? '_id' : ''}`,
    globalAlone: false,
    ownTenant: false,
  };
  if (first === 'users' && more[3] === 'organizations')
    return { ...rule, module: 'user-tenant-organizations', resource: 'resource:user-tenant-organizations', globalAlone: true };
  // 4.2: making and ending a membership is an update of the user.
  if (first === 'users' && third === 'tenants') return { ...rule, scope: method === 'GET' ? 'read' : 'update' };
  if (first === 'tenants' && third === 'users') return { ...rule, module: 'users' };
  if (first === 'tenants' && more.length > 0 && method === 'GET') return { ...rule, ownTenant: true };
  return rule;
}

/** Decisions, part 2: what tenant-admin, coordinator, technician and viewer may by their persona. */
const matrix: Record<string, [string, string, string, string]> = {
  'organization-addresses': ['CRUD', 'CRU', 'CRU', 'R'],
  cooperatives: ['R', '', '', ''],
  organizations: ['CRUD', 'RU', 'R', 'R'],
  'organization-contacts': ['CRUD', 'CRU', 'CRU', 'R'],
  attachments: ['CRUD', 'CRU', 'CRU', 'R'],
  'document-types': ['R', 'R', 'R', 'R'],
  states: ['R', 'R', 'R', 'R'],
  cities: ['R', 'R', 'R', 'R'],
};
const letterOf = { create: 'C', read: 'R', update: 'U', delete: 'D' };
const reserved = ['users', 'user-tenant-organizations', 'customers', 'organization-addresses', 'cooperatives'];

export const modules = [...Object.keys(matrix), 'users', 'user-tenant-organizations', 'customers', 'apps', 'tenants'];

function personaMay(persona: Persona, { module, scope, ownTenant }: Rule): boolean {
  if (ownTenant) return true;
  return matrix[module]?.[personas.indexOf(persona)]?.includes(letterOf[scope]) ?? false;
}

/** Decisions, part 2: the five ways past the guard. `own tenant`: only for what is about the active one. */
export function permits({ isGlobal, persona, token }: Standing, rule: Rule): 'yes' | 'own tenant' | 'no' {
  if (isGlobal) return 'yes';
  if (rule.globalAlone) return 'no';
  const role = `${rule.module}:${rule.scope}`;
  if (token.realmRoles.includes(role) || token.clientRoles.includes(role)) return 'yes';
  if (!reserved.includes(rule.module)) {
    const { permission } = token;
    if (permission && !permission.forOther && permission.resource === rule.resource && permission.scope === rule.scope) return 'yes';
    if (token.realmRoles.includes('super_admin')) return 'yes';
  }
  if (persona === null || !personaMay(persona, rule)) return 'no';
  return rule.ownTenant ? 'own tenant' : 'yes';
}
