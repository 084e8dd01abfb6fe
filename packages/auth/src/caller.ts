import type { ErrorCode, Persona, UserType } from '@profile-service/contracts';
import type { OrganizationScope } from '@profile-service/db';
import type { Claims } from './claims.ts';

/** What the store knows of a user who acts with (or without) an X-Tenant-Id. This is what the caller cache holds. */
export interface StoredUser {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly type: UserType;
  readonly tenant: { readonly id: string; readonly persona: Persona } | null;
  /** Why no tenant could be made active. Only the rows about the caller themselves go on then. */
  readonly refusal: ErrorCode | null;
  readonly organizationScope: OrganizationScope;
}

/** What the store knows of a calling application: its tenant, if its client is linked to an active one. */
export interface StoredService {
  readonly tenantId: string;
  readonly scopes: readonly string[];
}

/** A person. Roles and permissions come from the presented token each time, never from a cache. */
export interface UserCaller extends StoredUser {
  readonly kind: 'user';
  readonly isGlobal: boolean;
  readonly claims: Claims;
}

export interface ServiceCaller extends StoredService {
  readonly kind: 'service';
  readonly clientId: string;
  readonly organizationScope: OrganizationScope;
}

export type Caller = UserCaller | ServiceCaller;
