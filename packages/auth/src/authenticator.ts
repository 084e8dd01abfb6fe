import { ProblemError } from '@profile-service/contracts';
import type { Database } from '@profile-service/db';
import type { CallerCache } from './caller-cache.ts';
import type { ServiceCaller, StoredUser, UserCaller } from './caller.ts';
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
      const context = JSON.stringify(['user', claims.azp, tenant]);
      const stored = await cache.get(claims.sub, context, () => loadUser(database, claims.sub, tenant), isBounded);
      if (!stored) throw new ProblemError('USER_NOT_PROVISIONED');
      return { ...stored, kind: 'user', isGlobal: stored.type === 'Global', claims };
    },

    async service(authorization) {
      const claims = await services.verify(bearerToken(authorization));
      if (claims.hasSession || claims.azp === '') throw new ProblemError('CLIENT_NOT_LINKED');
      const context = JSON.stringify(['service', claims.azp]);
      const stored = await cache.get(claims.sub, context, () => loadService(database, claims.sub, claims.azp));
      if (!stored) throw new ProblemError('CLIENT_NOT_LINKED');
      return { ...stored, kind: 'service', clientId: claims.azp, organizationScope: { kind: 'tenant', tenantId: stored.tenantId } };
    },
  };
}

/** There is no end to the tenants that are not the caller's: to remember each refusal would let anybody fill the cache. */
const isBounded = ({ refusal }: StoredUser): boolean => refusal !== 'TENANT_NOT_ALLOWED';

function bearerToken(authorization: string | undefined): string {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (!token) throw new ProblemError('UNAUTHORIZED', { detail: 'The Authorization header carries no bearer token' });
  return token;
}
