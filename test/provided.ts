import type { JsonWebKey } from 'node:crypto';
import type { KeycloakAccess } from './keycloak/access.ts';

/** Values that test/global-setup.ts creates once per run. Test files read them with `inject`. */
export interface Provided {
  /** Connection strings of the run's PostgreSQL: one that can create databases, and the migrated templates to copy, empty and with Brazil's cities. */
  postgres: { adminUrl: string; templateUrl: string; mapTemplateUrl: string };
  /** Private RS256 key (JWK) for the identity providers of tests. Generating one takes longer than starting a provider. */
  signingKey: JsonWebKey & { kty: string };
  /** Path of the `redis-server` program; null if it is not installed. */
  redisServer: string | null;
  /** Path of the `pgbouncer` program; null if it is not installed. */
  pgbouncer: string | null;
  /** Path of a Chromium; null if none is installed. */
  chromium: string | null;
  /** Path of LibreOffice; null if it is not installed. */
  soffice: string | null;
  /** The STORAGE_ settings of the S3 endpoint of `npm run proof -- storage`; undefined in `npm test`. */
  s3Settings?: Record<string, string>;
  /** The real Keycloak of `npm run proof -- keycloak`; undefined in `npm test`. */
  keycloak?: KeycloakAccess;
}

declare module 'vitest' {
  interface ProvidedContext extends Provided {}
}
