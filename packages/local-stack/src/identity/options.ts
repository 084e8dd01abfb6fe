import type { JWK } from 'jose';
import type { Faults } from './faults.ts';

/** Roles of a person or of a service account: those of the realm, and by client id those of clients. */
export interface Roles {
  realm?: string[];
  client?: Record<string, string[]>;
}

export interface ClientConfig {
  clientId: string;
  /** Needed unless `public`. */
  secret?: string;
  /** A browser's client: no secret, authorization code with PKCE S256. */
  public?: boolean;
  /** Where a login or a mailed link may lead; a trailing `*` stands for any ending. Absent: the client has no login. */
  redirectUris?: string[];
  /** Whether the password grant is open to it; absent: for public clients only. */
  directAccessGrants?: boolean;
  /** Roles of its service account (confidential clients only). */
  serviceAccountRoles?: Roles;
}

export interface UserConfig {
  /** Becomes the `sub` of the tokens; absent: a random uuid. */
  id?: string;
  email: string;
  firstName: string;
  lastName: string;
  password?: string;
  /** Absent: true. */
  enabled?: boolean;
  /** Absent: true. */
  emailVerified?: boolean;
  realmRoles?: string[];
  clientRoles?: Record<string, string[]>;
  requiredActions?: string[];
}

export interface IdentityProviderOptions {
  /** Folder that keeps people, keys, mails and logins; made when absent. Without it everything is in memory. */
  dataDir?: string;
  /** Absent: a free one. */
  port?: number;
  /** Absent: 127.0.0.1. */
  host?: string;
  /** Base of the issuer and of all links; absent: `http://localhost:<port>`. */
  publicUrl?: string;
  /** Absent: `profile`. */
  realm?: string;
  /** Private signing keys, the first one signs; absent: one RS256 key is generated and kept in dataDir. */
  keys?: JWK[];
  clients?: ClientConfig[];
  /** People to begin with; one whose e-mail is there already is left as it is. */
  users?: UserConfig[];
  /** Failures to begin with. */
  faults?: Partial<Faults>;
  /** Lifetime of access tokens in seconds; absent: 300, as in Keycloak. */
  accessTokenLifespan?: number;
}
