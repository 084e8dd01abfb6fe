import type { JWK } from 'jose';
import type { Faults } from './faults.ts';

/** Roles of a user or a service account: realm roles, and client roles by client id. */
export interface Roles {
  realm?: string[];
  client?: Record<string, string[]>;
}

export interface ClientConfig {
  clientId: string;
  /** Required unless `public`. */
  secret?: string;
  /** A public client (browser): no secret, authorization code flow with PKCE S256. */
  public?: boolean;
  /** Allowed redirect URIs of logins and mailed links; a trailing `*` is a wildcard. Without any, the client has no login. */
  redirectUris?: string[];
  /** Allows the password grant. Defaults to true for public clients. */
  directAccessGrants?: boolean;
  /** Roles of the service account (confidential clients only). */
  serviceAccountRoles?: Roles;
}

export interface UserConfig {
  /** The `sub` of the user's tokens. Defaults to a random UUID. */
  id?: string;
  email: string;
  firstName: string;
  lastName: string;
  password?: string;
  /** Defaults to true. */
  enabled?: boolean;
  /** Defaults to true. */
  emailVerified?: boolean;
  realmRoles?: string[];
  clientRoles?: Record<string, string[]>;
  requiredActions?: string[];
  /** What the user is, such as `Global user`. The login page lists users with a hint and a password, and signs them in with one click. */
  hint?: string;
}

export interface IdentityProviderOptions {
  /** Folder for users, keys, mails and sessions; created if missing. Without it, everything is kept in memory. */
  dataDir?: string;
  /** Defaults to a free port. */
  port?: number;
  /** Defaults to 127.0.0.1. */
  host?: string;
  /** Base of the issuer and of all links. Defaults to `http://localhost:<port>`. */
  publicUrl?: string;
  /** Defaults to `profile`. */
  realm?: string;
  /** Private signing keys; the first one signs. Defaults to one generated RS256 key, stored in `dataDir`. */
  keys?: JWK[];
  clients?: ClientConfig[];
  /** Initial users. A user whose id or e-mail exists already is not changed. */
  users?: UserConfig[];
  /** Initial faults. */
  faults?: Partial<Faults>;
  /** Lifespan of access tokens in seconds. Defaults to 300, as in Keycloak. */
  accessTokenLifespan?: number;
}
