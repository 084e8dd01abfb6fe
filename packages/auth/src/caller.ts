import type { ErrorCode, Persona, UserType } from '@profile-service/contracts';
import type { OrganizationScope } from '@profile-service/db';
import type { Claims } from './claims.ts';

/** A user as loaded from the database, for one value of X-Tenant-Id. The caller cache holds these. */
export interface StoredUser {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly type: UserType;
  readonly tenant: { readonly id: string; readonly persona: Persona } | null;
  /** Why no tenant is active. Only the endpoints about the caller's own account accept such a caller. */
  readonly refusal: ErrorCode | null;
  readonly organizationScope: OrganizationScope;
}

/** A calling application as loaded from the database: the active tenant that its client is linked to. */
export interface StoredService {
  readonly tenantId: string;
}

/** A person. Roles and permissions come from the token of each request, never from the caller cache. */
export interface UserCaller extends StoredUser {
  readonly kind: 'user';
  readonly isGlobal: boolean;
  readonly claims: Claims;
}

/** An application. */
export interface ServiceCaller extends StoredService {
  readonly kind: 'service';
  readonly clientId: string;
  readonly organizationScope: OrganizationScope;
  readonly claims: Claims;
}

export type Caller = UserCaller | ServiceCaller;

/** The tenant for which the caller acts; null for a user without an active tenant. */
export const activeTenantId = (caller: Caller): string | null => (caller.kind === 'user' ? (caller.tenant?.id ?? null) : caller.tenantId);
