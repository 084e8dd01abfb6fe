import { personaHas, type UserAccess } from '@profile-service/contracts';
import type { UserCaller } from './caller.ts';
import { permissionKey } from './claims.ts';

/** `own-tenant`: allowed only when the request is about the caller's active tenant. */
export type Decision = 'allowed' | 'own-tenant' | 'denied';

/** The permission guard: the only place that decides whether a user may call an endpoint. */
export function may(caller: UserCaller, access: UserAccess): Decision {
  if (caller.isGlobal) return 'allowed';
  if (access.globalOnly || (access.wholeTenant && caller.organizationScope.kind === 'restricted')) return 'denied';
  const { roles, permissions, isSuperAdmin } = caller.claims;
  if (roles.has(`${access.module}:${access.action}`)) return 'allowed';
  if (!access.reserved && (isSuperAdmin || permissions.has(permissionKey(access.resource, access.action)))) return 'allowed';
  if (caller.tenant && personaHas(caller.tenant.persona, access)) return access.ownTenant ? 'own-tenant' : 'allowed';
  return 'denied';
}
