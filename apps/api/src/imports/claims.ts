import type { Claims } from '@profile-service/auth';

/** Returns the claims as an import stores them: its rows are authorized by them, and by what the database says then. */
export const storedClaims = ({ sub, azp, hasSession, roles, isSuperAdmin, permissions }: Claims): Record<string, unknown> => ({
  sub,
  azp,
  hasSession,
  roles: [...roles],
  isSuperAdmin,
  permissions: [...permissions],
});

/** Reads what `storedClaims` has written. */
export function readClaims(stored: Record<string, unknown>): Claims {
  const { roles, permissions, ...others } = stored as unknown as Omit<Claims, 'roles' | 'permissions'> & {
    roles: string[];
    permissions: string[];
  };
  return { ...others, roles: new Set(roles), permissions: new Set(permissions) };
}
