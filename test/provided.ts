import type { JsonWebKey } from 'node:crypto';

/** What test/global-setup.ts makes once per run and every test file can `inject`. */
export interface Provided {
  /** Connection strings of the run's PostgreSQL: where databases are made, and the migrated one that they are copied from. */
  postgres: { adminUrl: string; templateUrl: string };
  /** Private RS256 key as JWK for the identity provider of a test: to make one takes longer than to start the provider. */
  signingKey: JsonWebKey & { kty: string };
  /** Path of the `redis-server` program; null where the machine has none. */
  redisServer: string | null;
}

declare module 'vitest' {
  interface ProvidedContext extends Provided {}
}
