/** Who may call an endpoint, as data. */

export const actions = ['create', 'read', 'update', 'delete'] as const;
export type Action = (typeof actions)[number];

export const personas = ['tenant-admin', 'coordinator', 'technician', 'viewer'] as const;
export type Persona = (typeof personas)[number];

const C = 'create';
const R = 'read';
const U = 'update';
const D = 'delete';

type PersonaActions = Partial<Record<Persona, readonly Action[]>>;
/** Every persona may read, and none may write. */
const readByMembers: PersonaActions = { 'tenant-admin': [R], coordinator: [R], technician: [R], viewer: [R] };
/** Every persona may read, all but viewers may create and update, and only tenant-admins may delete. */
const editedByMembers: PersonaActions = { 'tenant-admin': [C, R, U, D], coordinator: [C, R, U], technician: [C, R, U], viewer: [R] };

/** Module (the first segment of a path) → persona → actions that the persona may perform. Global users may perform all. */
export const matrix = {
  users: {},
  'user-tenant-organizations': {},
  customers: {},
  apps: {},
  tenants: {},
  organizations: { 'tenant-admin': [C, R, U, D], coordinator: [R, U], technician: [R], viewer: [R] },
  'organization-addresses': editedByMembers,
  'organization-contacts': editedByMembers,
  attachments: editedByMembers,
  'document-types': readByMembers,
  states: readByMembers,
  cities: readByMembers,
  cooperatives: { 'tenant-admin': [R] },
  'audit-entries': { 'tenant-admin': [R] },
  events: { 'tenant-admin': [R] },
  webhooks: { 'tenant-admin': [C, R, U, D] },
  imports: { 'tenant-admin': [C, R, D] },
} as const satisfies Record<string, PersonaActions>;
export type Module = keyof typeof matrix;

/** Actions of personas on endpoints that are limited to the active tenant. */
const ownTenantMatrix = readByMembers;

/** Modules that neither RPT permissions nor the role `super_admin` give access to. */
const reserved: ReadonlySet<Module> = new Set<Module>([
  'users',
  'user-tenant-organizations',
  'customers',
  'organization-addresses',
  'cooperatives',
  'audit-entries',
  'events',
  'webhooks',
  'imports',
]);

export interface UserAccess {
  readonly kind: 'user';
  readonly module: Module;
  readonly action: Action;
  readonly resource: string;
  readonly reserved: boolean;
  /** Only Global users have access: no role gives it. */
  readonly globalOnly: boolean;
  /** The endpoint is about everything in the tenant, so no role gives access to a member whose organization scope is RESTRICTED. */
  readonly wholeTenant: boolean;
  /** The input field that must name the active tenant when the caller's persona alone gives access. */
  readonly ownTenant: string | null;
}
export type Access = UserAccess | { readonly kind: 'me' } | { readonly kind: 'service' };

export const access = {
  /** A user with permission for the action. */
  user: (
    module: Module,
    action: Action,
    resource: `resource:${string}`,
    options: { globalOnly?: boolean; wholeTenant?: boolean; ownTenant?: string } = {},
  ): UserAccess => ({
    kind: 'user',
    module,
    action,
    resource,
    reserved: reserved.has(module),
    globalOnly: options.globalOnly ?? false,
    wholeTenant: options.wholeTenant ?? false,
    ownTenant: options.ownTenant ?? null,
  }),
  /** Any user, also without an active tenant or a persona. */
  me: { kind: 'me' } as const,
  /** An application whose client is linked to a tenant. */
  service: { kind: 'service' } as const,
};

/** Whether the persona may call the endpoint. */
export function personaHas(persona: Persona, endpoint: UserAccess): boolean {
  const actionsByPersona: PersonaActions = endpoint.ownTenant ? ownTenantMatrix : matrix[endpoint.module];
  return actionsByPersona[persona]?.includes(endpoint.action) ?? false;
}

/** Whether some persona has no access. If all have it, no user with an active tenant gets NOT_ALLOWED. */
export const deniesSomePersona = (endpoint: UserAccess): boolean =>
  endpoint.globalOnly || personas.some((persona) => !personaHas(persona, endpoint));
