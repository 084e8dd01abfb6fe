import { personaHas, type UserAccess } from '@profile-service/contracts';
import type { UserCaller } from './caller.ts';
import { permissionKey } from './claims.ts';

/** `own-tenant`: only where the request is about the active tenant. */
export type Decision = 'allowed' | 'own-tenant' | 'denied';

/** The permission guard: the only place that decides whether a user may call a row. */
export function may(caller: UserCaller, row: UserAccess): Decision {
  if (caller.isGlobal) return 'allowed';
  if (row.globalOnly) return 'denied';
  const { roles, permissions, isSuperAdmin } = caller.claims;
  if (roles.has(`${row.module}:${row.scope}`)) return 'allowed';
  if (!row.reserved && (isSuperAdmin || permissions.has(permissionKey(row.resource, row.scope)))) return 'allowed';
  if (caller.tenant && personaHas(caller.tenant.persona, row)) return row.ownTenant ? 'own-tenant' : 'allowed';
  return 'denied';
}
