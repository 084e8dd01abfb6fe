import type { Realm } from '../realm.ts';

/** What a caller of the admin API may do with users. */
export interface AdminAccess {
  view: boolean;
  manage: boolean;
}

/**
 * The rights behind an Authorization header: those that the token's user has now as roles of the client realm-management.
 * Undefined where the token is missing, not this realm's, past its time, or its user is gone: a 401.
 */
export async function adminAccess(realm: Realm, authorization: string | undefined): Promise<AdminAccess | undefined> {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  const payload = await realm.keys.verify(token).catch(() => undefined);
  const user = realm.users.find(payload?.sub ?? '');
  if (payload?.iss !== realm.issuer || payload['typ'] !== 'Bearer' || user === undefined || !user.enabled) return undefined;
  const roles = new Set(user.clientRoles['realm-management']);
  const manage = roles.has('manage-users') || roles.has('realm-admin');
  return { manage, view: manage || roles.has('view-users') };
}
