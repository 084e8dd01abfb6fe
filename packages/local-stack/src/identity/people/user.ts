import { createHash } from 'node:crypto';
import type { UserConfig } from '../options.ts';

/** A person, or the service account of a client, as the store keeps it. */
export interface User {
  id: string;
  /** In lower case; with `registrationEmailAsUsername` the e-mail. */
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
  /** Set for a service account, which no list shows and nobody logs in with. */
  serviceAccountClientId?: string;
}

/** A person without the store's own record. */
export type NewUser = Omit<User, 'id' | 'email' | 'createdTimestamp' | 'passwordHash'> & { id?: string; email: string; password?: string };

/** A person as the tests see it. */
export type Person = Omit<User, 'passwordHash' | 'serviceAccountClientId'>;

/** Shows a user without the secret part of the record. */
export function person({ passwordHash: _hidden, serviceAccountClientId: _none, ...shown }: User): Person {
  return shown;
}

/** What a login may have to do first; Keycloak knows more, of which this service uses none. */
export const knownActions = ['UPDATE_PASSWORD', 'VERIFY_EMAIL', 'UPDATE_PROFILE', 'VERIFY_PROFILE'];

/** What stands between a person and a login: their required actions, and their profile where a name is missing. */
export function pendingActions(user: User): string[] {
  const nameless = user.firstName === undefined || user.lastName === undefined;
  return [...new Set([...user.requiredActions, ...(nameless ? ['VERIFY_PROFILE'] : [])])];
}

/** What the store is to create for a configured person. */
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

/** The id of a client's service account: made from realm and client id, so that it is the same after every start. */
export function serviceAccountId(realm: string, clientId: string): string {
  const hex = createHash('sha256').update(`${realm}/${clientId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Roles that Keycloak gives to everyone created through its admin API (to nobody who comes with a realm import). */
export function defaultRoles(realm: string): Pick<User, 'realmRoles' | 'clientRoles'> {
  return {
    realmRoles: [`default-roles-${realm}`, 'offline_access', 'uma_authorization'],
    clientRoles: { account: ['manage-account', 'manage-account-links', 'view-profile'] },
  };
}
