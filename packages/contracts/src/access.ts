/** Who may call a row. The tables of specification part 4 and decisions on who may do what, as data. */

export const actions = ['create', 'read', 'update', 'delete'] as const;
export type Action = (typeof actions)[number];

export const personas = ['tenant-admin', 'coordinator', 'technician', 'viewer'] as const;
export type Persona = (typeof personas)[number];

const C = 'create';
const R = 'read';
const U = 'update';
const D = 'delete';

type PersonaActions = Partial<Record<Persona, readonly Action[]>>;
const everybodyReads: PersonaActions = { 'tenant-admin': [R], coordinator: [R], technician: [R], viewer: [R] };
const workedOnByAll: PersonaActions = { 'tenant-admin': [C, R, U, D], coordinator: [C, R, U], technician: [C, R, U], viewer: [R] };

/** Module (a path's first word) → persona → scopes that the persona has by default. Global users need no entry. */
export const matrix = {
  users: {},
  'user-tenant-organizations': {},
  customers: {},
  apps: {},
  tenants: {},
  organizations: { 'tenant-admin': [C, R, U, D], coordinator: [R, U], technician: [R], viewer: [R] },
  'organization-addresses': workedOnByAll,
  'organization-contacts': workedOnByAll,
  attachments: workedOnByAll,
  'document-types': everybodyReads,
  states: everybodyReads,
  cities: everybodyReads,
  cooperatives: { 'tenant-admin': [R] },
} as const satisfies Record<string, PersonaActions>;
export type Module = keyof typeof matrix;

/** Scopes of the rows that show a tenant's members that tenant and no other. */
const ownTenantMatrix = everybodyReads;

/** Modules whose personas part 4 restricts: neither RPT permissions nor super_admin open them. */
const reserved: ReadonlySet<Module> = new Set<Module>([
  'users',
  'user-tenant-organizations',
  'customers',
  'organization-addresses',
  'cooperatives',
]);

export interface UserAccess {
  readonly kind: 'user';
  readonly module: Module;
  readonly action: Action;
  readonly resource: string;
  readonly reserved: boolean;
  /** No role opens the row: Global users alone. */
  readonly globalOnly: boolean;
  /** The input field that must be the active tenant for callers who pass by their persona alone. */
  readonly ownTenant: string | null;
}
export type Access = UserAccess | { readonly kind: 'me' } | { readonly kind: 'service' };

export const access = {
  /** A user whom the permission guard lets pass. */
  user: (
    module: Module,
    action: Action,
    resource: `resource:${string}`,
    options: { globalOnly?: boolean; ownTenant?: string } = {},
  ): UserAccess => ({
    kind: 'user',
    module,
    action,
    resource,
    reserved: reserved.has(module),
    globalOnly: options.globalOnly ?? false,
    ownTenant: options.ownTenant ?? null,
  }),
  /** Any user, also without tenant or persona. */
  me: { kind: 'me' } as const,
  /** An application with a token of its own, whose client is linked to a tenant. */
  service: { kind: 'service' } as const,
};

/** The scopes that the persona has on rows like this one. */
export function personaHas(persona: Persona, endpoint: UserAccess): boolean {
  const scopesOfPersonas: PersonaActions = endpoint.ownTenant ? ownTenantMatrix : matrix[endpoint.module];
  return scopesOfPersonas[persona]?.includes(endpoint.action) ?? false;
}

/** Whether some user with a persona is refused: else nobody is who has an active tenant. */
export const refusesSome = (endpoint: UserAccess): boolean =>
  endpoint.globalOnly || personas.some((persona) => !personaHas(persona, endpoint));
