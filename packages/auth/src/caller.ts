import type { ErrorCode, Persona, UserType } from '@profile-service/contracts';
import type { OrganizationScope } from '@profile-service/db';
import type { Claims } from './claims.ts';

/** What the database knows of a user who calls with (or without) an X-Tenant-Id. The caller cache holds this. */
export interface StoredUser {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly type: UserType;
  readonly tenant: { readonly id: string; readonly persona: Persona } | null;
  /** Why there is no active tenant. Then only the endpoints about the caller themselves are open. */
  readonly refusal: ErrorCode | null;
  readonly organizationScope: OrganizationScope;
}

/** What the database knows of a calling application: the active tenant that its client is linked to. */
export interface StoredService {
  readonly tenantId: string;
  readonly scopes: readonly string[];
}

/** A person. Roles and permissions come from the presented token on each request, never from a cache. */
export interface UserCaller extends StoredUser {
  readonly kind: 'user';
  readonly isGlobal: boolean;
  readonly claims: Claims;
}

/** An application that calls with client credentials. */
export interface ServiceCaller extends StoredService {
  readonly kind: 'service';
  readonly clientId: string;
  readonly organizationScope: OrganizationScope;
  readonly claims: Claims;
}

export type Caller = UserCaller | ServiceCaller;

/** The tenant for which the caller acts; null for a user without an active tenant. */
export const activeTenantId = (caller: Caller): string | null => (caller.kind === 'user' ? (caller.tenant?.id ?? null) : caller.tenantId);
