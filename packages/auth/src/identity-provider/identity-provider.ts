import type { TraceCall } from '../trace-call.ts';

/** A user of the identity provider. */
export interface Identity {
  /** The `sub` of the user's tokens. */
  subject: string;
  /** Whether the user has no password yet, and needs the password mail. */
  needsPassword: boolean;
}

export interface Person {
  email: string;
  name: string;
}

/** The operations of the identity provider's admin API that this service uses. They throw IDENTITY_PROVIDER_UNAVAILABLE. */
export interface IdentityProvider {
  /** @param email in lower case */
  findByEmail(email: string): Promise<Identity | null>;
  /** Creates an identity, or returns the one that a concurrent request has created. Throws VALIDATION_FAILED if the provider rejects the person's data. */
  create(person: Person): Promise<Identity>;
  /** Sends the mail in which the user sets a password and verifies the e-mail address. */
  sendPasswordMail(subject: string): Promise<void>;
}

export interface IdentityProviderOptions {
  /** The URL of the realm, `…/realms/<realm>`, as the service reaches it. */
  realmUrl: string;
  clientId: string;
  clientSecret: string;
  /** The client and the address to which the last page of the password mail links; undefined for no link. */
  mailLink?: { clientId: string; redirectUri: string } | undefined;
  /** Time limit of one request, in milliseconds. */
  timeoutMs: number;
  /** Called after each operation, retries included, for the metrics. `ok` is false if the provider is unavailable. */
  onCall?: (operation: string, ok: boolean, seconds: number) => void;
  /** Runs each operation, retries included; for traces. */
  trace?: TraceCall | undefined;
}
