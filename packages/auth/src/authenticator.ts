import { ProblemError } from '@profile-service/contracts';
import type { Database } from '@profile-service/db';
import type { CacheKey } from './cache-entry.ts';
import type { CallerCache } from './caller-cache.ts';
import type { Caller, ServiceCaller, StoredService, StoredUser, UserCaller } from './caller.ts';
import type { Claims } from './claims.ts';
import { loadService, loadUser } from './store.ts';
import type { TokenVerifier } from './token.ts';

/** Verifies tokens and loads callers (AUTH-8 to AUTH-13). Both methods return a promise only when they have to wait. */
export interface Authenticator {
  /** Verifies the bearer token. Throws UNAUTHORIZED or IDENTITY_PROVIDER_UNAVAILABLE; for applications also CLIENT_NOT_LINKED if the token is a user's. */
  verify(kind: Caller['kind'], authorization: string | undefined): Claims | Promise<Claims>;
  /**
   * Loads the caller of verified claims. Throws USER_NOT_PROVISIONED or CLIENT_NOT_LINKED. If no tenant can be active it does not throw, but sets
   * the user's `refusal`.
   * @param tenantHeader X-Tenant-Id as received; ignored for applications
   */
  load(kind: Caller['kind'], claims: Claims, tenantHeader: string | undefined): Caller | Promise<Caller>;
}

export interface AuthenticatorOptions {
  users: TokenVerifier;
  services: TokenVerifier;
  cache: CallerCache;
  database: Database;
  /** Runs a load when a connection may be used for it. @param sub of the caller. Default: at once */
  admitLoad?: (<T>(sub: string, load: () => Promise<T>) => Promise<T>) | undefined;
}

/** Authenticates users and applications. */
export function createAuthenticator({
  users,
  services,
  cache,
  database,
  admitLoad = (_sub, load) => load(),
}: AuthenticatorOptions): Authenticator {
  function loadUserCaller(claims: Claims, tenantHeader = ''): UserCaller | Promise<UserCaller> {
    const { sub, azp } = claims;
    // The cache keeps this text: a longer one is not a UUID either.
    const tenant = tenantHeader.slice(0, uuidLength + 1).toLowerCase();
    const key: CacheKey = { sub, context: `user\n${tenant}\n${azp}`, unknownContext: 'user' };
    const stored = cache.get(key, () => admitLoad(sub, () => loadUser(database, sub, tenant)), isRejection);
    const toCaller = (user: StoredUser | null): UserCaller => {
      if (!user) throw new ProblemError('USER_NOT_PROVISIONED');
      return { ...user, kind: 'user', isGlobal: user.type === 'Global', claims };
    };
    return stored instanceof Promise ? stored.then(toCaller) : toCaller(stored);
  }

  function loadServiceCaller(claims: Claims): ServiceCaller | Promise<ServiceCaller> {
    const { sub, azp } = claims;
    const context = JSON.stringify(['service', azp]);
    const key: CacheKey = { sub, context, unknownContext: context, clientId: azp };
    const stored = cache.get(key, () => admitLoad(sub, () => loadService(database, sub, azp)));
    const toCaller = (service: StoredService | null): ServiceCaller => {
      if (!service) throw new ProblemError('CLIENT_NOT_LINKED');
      return { ...service, kind: 'service', clientId: azp, organizationScope: { kind: 'tenant', tenantId: service.tenantId }, claims };
    };
    return stored instanceof Promise ? stored.then(toCaller) : toCaller(stored);
  }

  return {
    verify(kind, authorization) {
      const token = bearerToken(authorization);
      if (kind === 'user') return users.verify(token);
      const claims = services.verify(token);
      return claims instanceof Promise ? claims.then(requireOwnToken) : requireOwnToken(claims);
    },
    load: (kind, claims, tenantHeader) => (kind === 'user' ? loadUserCaller(claims, tenantHeader) : loadServiceCaller(claims)),
  };
}

const uuidLength = 36;

/** A client can name any number of tenants, so these refusals are cached apart from the callers, and for 5 seconds only. */
const isRejection = ({ refusal }: StoredUser): boolean => refusal === 'TENANT_NOT_ALLOWED';

/** An application's own token has no session: a token with one belongs to a person's login. */
function requireOwnToken(claims: Claims): Claims {
  if (claims.hasSession || claims.azp === '') throw new ProblemError('CLIENT_NOT_LINKED');
  return claims;
}

const usualPrefix = 'Bearer ';

function bearerToken(authorization: string | undefined): string {
  // The usual form. The pattern below takes longer, and also accepts other forms that RFC 9110 allows.
  if (authorization?.startsWith('Bearer ey') && !authorization.includes(' ', usualPrefix.length))
    return authorization.slice(usualPrefix.length);
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (!token) throw new ProblemError('UNAUTHORIZED', { detail: 'The Authorization header carries no bearer token.' });
  return token;
}
