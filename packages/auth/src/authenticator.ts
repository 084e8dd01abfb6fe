import { ProblemError } from '@profile-service/contracts';
import type { Database } from '@profile-service/db';
import type { CallerCache } from './caller-cache.ts';
import type { ServiceCaller, UserCaller } from './caller.ts';
import { loadService, loadUser } from './store.ts';
import type { TokenVerifier } from './token.ts';

export interface Authenticator {
  /**
   * Tells which user calls. Throws UNAUTHORIZED or USER_NOT_PROVISIONED; a tenant that cannot be made active is the
   * caller's `refusal`, since the rows about the caller themselves go on without.
   */
  user(authorization: string | undefined, tenantHeader: string | undefined): Promise<UserCaller>;
  /** Tells which application calls. Throws UNAUTHORIZED or CLIENT_NOT_LINKED. */
  service(authorization: string | undefined): Promise<ServiceCaller>;
}

export interface AuthenticatorOptions {
  users: TokenVerifier;
  services: TokenVerifier;
  cache: CallerCache;
  database: Database;
}

/** Both flows of specification part 5. */
export function createAuthenticator({ users, services, cache, database }: AuthenticatorOptions): Authenticator {
  return {
    async user(authorization, tenantHeader = '') {
      const claims = await users.verify(bearerToken(authorization));
      const tenant = tenantHeader.toLowerCase();
      const stored = await cache.get(claims.sub, `user ${claims.azp} ${tenant}`, () => loadUser(database, claims.sub, tenant));
      if (!stored) throw new ProblemError('USER_NOT_PROVISIONED');
      return { ...stored, kind: 'user', isGlobal: stored.type === 'Global', claims };
    },

    async service(authorization) {
      const claims = await services.verify(bearerToken(authorization));
      if (claims.hasSession || claims.azp === '') throw new ProblemError('CLIENT_NOT_LINKED');
      const stored = await cache.get(claims.sub, `service ${claims.azp}`, () => loadService(database, claims.sub, claims.azp));
      if (!stored) throw new ProblemError('CLIENT_NOT_LINKED');
      return { ...stored, kind: 'service', clientId: claims.azp, organizationScope: { kind: 'tenant', tenantId: stored.tenantId } };
    },
  };
}

function bearerToken(authorization: string | undefined): string {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (!token) throw new ProblemError('UNAUTHORIZED', { detail: 'The Authorization header carries no bearer token' });
  return token;
}
