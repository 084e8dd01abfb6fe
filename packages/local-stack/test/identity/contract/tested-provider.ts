import type { IdentityProviderOptions } from '../../../src/identity/options.ts';

/** What the contract tests may configure: what both providers can do. */
export type RealmOptions = Required<Pick<IdentityProviderOptions, 'clients' | 'users' | 'accessTokenLifespan'>>;

/** The provider under test: the one of the local stack, or a realm of a real Keycloak. */
export interface TestedProvider {
  /** Base of all URLs; the admin client's `baseUrl`. */
  url: string;
  /** The issuer of its tokens. */
  realmUrl: string;
  realm: string;
  /** The links in the mails to an address, oldest first. */
  linksTo(email: string): Promise<string[]>;
  /** Makes its mail server reject every mail, or accept mails again. */
  rejectMails(isRejecting: boolean): void;
  /** Signs with a new key from now on. Tokens of older keys still verify. */
  rotateKey(algorithm: string): Promise<void>;
  /** Removes all signing keys except the current one. */
  removeOldKeys(): Promise<void>;
  stop(): Promise<void>;
}
