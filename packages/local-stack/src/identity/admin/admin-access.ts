import type { Realm } from '../realm.ts';

/** A caller's permissions on users. */
export interface AdminAccess {
  view: boolean;
  manage: boolean;
}

/**
 * Returns the permissions of an Authorization header: the current roles of the token's user in the client realm-management.
 * Returns undefined, which means 401, if the token is missing, expired or of another realm, or if its user is deleted or disabled.
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
