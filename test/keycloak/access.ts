/** A Keycloak that the tests use, with an administrator of its realm `master`. */
export interface KeycloakAccess {
  /** Base of the issuers: the address that browsers use. */
  url: string;
  /** Another address of it, which the service uses as containers do. Equals `url` for one that the tests did not start. */
  internalUrl: string;
  username: string;
  password: string;
  /** The realm that was imported from the realm file. */
  realm: string;
  /** The host at which Keycloak reaches the mail server of the tests. */
  smtpHost: string;
  /** File with the process id, for tests that end it. It is then started again. Null for one that the tests did not start. */
  pidFile: string | null;
}
