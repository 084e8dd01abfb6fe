import { createHash } from 'node:crypto';
import type { UserConfig } from '../options.ts';

/** A person or the service account of a client, as stored. */
export interface User {
  id: string;
  /** In lower case. Persons have their e-mail as username (`registrationEmailAsUsername`). */
  username: string;
  email?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  enabled: boolean;
  emailVerified: boolean;
  requiredActions: string[];
  realmRoles: string[];
  clientRoles: Record<string, string[]>;
  /** Milliseconds since 1970. */
  createdTimestamp: number;
  passwordHash?: string;
  /** Set for service accounts, which no list contains and which cannot log in. */
  serviceAccountClientId?: string;
}

/** A person to create. */
export type NewUser = Omit<User, 'id' | 'email' | 'createdTimestamp' | 'passwordHash'> & { id?: string; email: string; password?: string };

/** A person as shown to tests. */
export type Person = Omit<User, 'passwordHash' | 'serviceAccountClientId'>;

/** Returns a user without secrets. */
export function person({ passwordHash: _hidden, serviceAccountClientId: _none, ...shown }: User): Person {
  return shown;
}

/** The required actions that this service uses. Keycloak has more. */
export const knownActions = ['UPDATE_PASSWORD', 'VERIFY_EMAIL', 'UPDATE_PROFILE', 'VERIFY_PROFILE'];

/** Returns the actions that a login requires first: required actions, and VERIFY_PROFILE if a name is missing. */
export function pendingActions(user: User): string[] {
  const lacksName = user.firstName === undefined || user.lastName === undefined;
  return [...new Set([...user.requiredActions, ...(lacksName ? ['VERIFY_PROFILE'] : [])])];
}

/** Returns the user to create for a configuration. */
export function seededUser({ id, email, firstName, lastName, password, ...config }: UserConfig): NewUser {
  return {
    ...(id === undefined ? {} : { id }),
    ...(password === undefined ? {} : { password }),
    username: email.toLowerCase(),
    email: email.toLowerCase(),
    firstName,
    lastName,
    enabled: config.enabled ?? true,
    emailVerified: config.emailVerified ?? true,
    requiredActions: config.requiredActions ?? [],
    realmRoles: config.realmRoles ?? [],
    clientRoles: config.clientRoles ?? {},
  };
}

/** Returns the id of a client's service account. It derives from realm and client id, so it is the same after every start. */
export function serviceAccountId(realm: string, clientId: string): string {
  const hex = createHash('sha256').update(`${realm}/${clientId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the roles of users created through the admin API. Imported users do not get them, as in Keycloak. */
export function defaultRoles(realm: string): Pick<User, 'realmRoles' | 'clientRoles'> {
  return {
    realmRoles: [`default-roles-${realm}`, 'offline_access', 'uma_authorization'],
    clientRoles: { account: ['manage-account', 'manage-account-links', 'view-profile'] },
  };
}
