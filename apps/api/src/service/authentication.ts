import {
  type Authenticator,
  type AuthenticatorOptions,
  CallerCache,
  createAuthenticator,
  internalUrlRewrite,
  Issuer,
  type RedisConnection,
  SharedCache,
  TokenVerifier,
} from '@profile-service/auth';
import { type CallerInvalidation, type ConnectOptions, type Database, listenForCallerInvalidations } from '@profile-service/db';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { anyAudience, type Settings } from '../settings.ts';
import type { StopSteps } from './stop-steps.ts';

export interface AuthenticationOptions extends Pick<AuthenticatorOptions, 'admitLoad'> {
  settings: Settings;
  /** For the connection that listens for cache invalidations. */
  connection: Pick<ConnectOptions, 'connectionString' | 'ca'>;
  database: Database;
  redis: RedisConnection | undefined;
  metrics: Metrics;
  log: Log;
  tracing: Tracing | undefined;
  /** Gets the step that closes the connection that listens for invalidations. */
  stopSteps: StopSteps;
}

export interface Authentication {
  authenticator: Authenticator;
  cache: CallerCache;
  /** The issuers of user tokens and of application tokens: one or two. */
  issuers: readonly Issuer[];
}

/** Creates the authenticator and its cache of callers. Invalidations from other instances keep the cache current; while they do not arrive, it is not used. */
export function startAuthentication({
  settings,
  connection,
  database,
  redis,
  metrics,
  log,
  tracing,
  stopSteps,
  admitLoad,
}: AuthenticationOptions): Authentication {
  const ttlSeconds = settings.USER_CACHE_TTL_SECONDS;
  const shared = redis && new SharedCache({ redis, ttlSeconds });
  const cache = new CallerCache({ ttlSeconds, shared, trusted: () => invalidations.trusted(), onLookup: metrics.callerLookup });
  const invalidate = (invalidation: CallerInvalidation): void => {
    cache.invalidate(invalidation).catch((error: unknown) => log.error({ err: error }, 'the cached callers could not be invalidated'));
  };
  const invalidations = stopSteps.adopt(
    'caller invalidations',
    listenForCallerInvalidations({
      ...connection,
      onInvalidation: invalidate,
      onPooler: () =>
        log.error('DATABASE_DIRECT_URL leads to a connection pooler: callers are not cached. Set it to the address of PostgreSQL.'),
      onTrust: (trusted) => {
        if (!trusted) return log.warn('invalidations from other instances do not arrive: callers are not cached');
        // Invalidations may have been missed until now.
        invalidate({ all: true });
        log.info('invalidations from other instances arrive');
      },
    }),
    ({ close }) => close(),
  );

  const { IDENTITY_REALM_URL: userUrl, IDENTITY_AUTH_URL: serviceUrl, IDENTITY_INTERNAL_URL: internalUrl } = settings;
  const issuerOptions = { timeoutMs: settings.IDENTITY_TIMEOUT_SECONDS * 1000, trace: tracing?.callsOf('identity') };
  const createIssuer = (url: string) => new Issuer(url, internalUrlRewrite(url, internalUrl), issuerOptions);
  const userIssuer = createIssuer(userUrl);
  const serviceIssuer = serviceUrl === userUrl ? userIssuer : createIssuer(serviceUrl);
  const audience = settings.IDENTITY_AUDIENCE === anyAudience ? undefined : settings.IDENTITY_AUDIENCE;
  const createVerifier = (issuer: Issuer) => new TokenVerifier({ issuer, clientId: settings.IDENTITY_CLIENT_ID, audience });
  const authenticator = createAuthenticator({
    users: createVerifier(userIssuer),
    services: createVerifier(serviceIssuer),
    cache,
    database,
    admitLoad,
  });
  return { authenticator, cache, issuers: [...new Set([userIssuer, serviceIssuer])] };
}
