import { setTimeout as pause } from 'node:timers/promises';
import {
  CallerCache,
  createAuthenticator,
  Issuer,
  internalUrlRewrite,
  RedisConnection,
  SharedCache,
  TokenVerifier,
} from '@profile-service/auth';
import { endpoints } from '@profile-service/contracts';
import { authorityIn, connect, listenForCallerInvalidations, withoutScopedTables } from '@profile-service/db';
import { bootstrapGlobal } from './bootstrap-global.ts';
import { createAddressLimit } from './transports/http/address-limit.ts';
import { type ClientLimits, createHttpServer, drain, listen } from './transports/http/server.ts';
import { createCorsPolicy } from './transports/http/cors.ts';
import { createListener } from './transports/http/listener.ts';
import { createPages } from './transports/pages/pages.ts';
import { createRestTransport } from './transports/rest/rest.ts';
import { createTrpcTransport } from './transports/trpc/trpc.ts';
import { startJobs } from './jobs/start.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { createConcurrencyLimits, type TenantLimits } from './limits/concurrency-limits.ts';
import { createOperation } from './operation/operation.ts';
import { createTransactions } from './operation/transactions.ts';
import { createIdentityProvider } from './integrations/identity-provider/identity-provider.ts';
import { createStorage } from './integrations/storage/create-storage.ts';
import { createAttachmentFiles } from './resources/attachment-files.ts';
import { handlerOf } from './resources/index.ts';
import { HealthMonitor } from './observability/health.ts';
import { createHealthChecks } from './observability/health-checks.ts';
import { createLog, type Log } from './observability/log.ts';
import { createManagementServer } from './transports/management.ts';
import { createMetrics } from './observability/metrics.ts';
import { anyAudience, type Settings } from './settings.ts';

/** Platforms kill a process 10 s after they asked it to stop. */
const stopMs = 9_000;

export interface Service {
  /** The service's URL on this machine. */
  url: string;
  port: number;
  /** The management port's URL on this machine; undefined without MANAGEMENT_PORT. */
  managementUrl: string | undefined;
  /** Stops accepting requests, finishes the running ones and closes every part, within 10 s. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Default: JSON lines on standard output. */
  log?: Log;
  /** Time between two health checks of a part. */
  healthIntervalMs?: number;
  /** Window of the rate limits, 1 second by default. Tests that count requests set it. */
  limitWindowSeconds?: number;
  /** Time limits for clients that differ from the defaults. */
  clientLimits?: Partial<ClientLimits>;
  /** Concurrency limits per tenant that differ from the defaults. */
  tenantLimits?: Partial<TenantLimits>;
}

/**
 * Starts the service: the production entry, `npm start` and the tests use it alike.
 * A start that fails first closes the parts that it has opened.
 */
export async function startService(settings: Settings, options: ServiceOptions = {}): Promise<Service> {
  const log = options.log ?? createLog(settings.LOG_LEVEL);
  const parts = new AsyncDisposableStack();
  // A part that hangs is abandoned: its own time limits end what it waits for, or the end of the process does.
  const close = () => Promise.race([parts.disposeAsync(), pause(stopMs, undefined, { ref: false })]);
  try {
    const addresses = await startParts(settings, options, log, parts);
    return {
      ...addresses,
      async stop() {
        await close();
        log.info('stopped');
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The composition root: creates the parts, connects them and listens.
 * @param parts gets each part as it is opened, with the function that closes it; the last one opened is closed first
 */
async function startParts(
  settings: Settings,
  options: ServiceOptions,
  log: Log,
  parts: AsyncDisposableStack,
): Promise<Omit<Service, 'stop'>> {
  const health = new HealthMonitor(log);
  const publicUrl = (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/$/, '');
  const connection = { connectionString: settings.DATABASE_URL, ...authorityIn(settings.DATABASE_CA_FILE) };
  const database = parts.adopt(
    connect({
      ...connection,
      max: settings.DATABASE_POOL_MAX,
      applicationName: 'profile-service',
      onError(error) {
        log.debug({ reason: error.message }, 'a database connection was lost');
        void health.check('database');
      },
      onUnprepared: (text) => log.debug({ sql: text }, 'a statement ran unprepared'),
    }),
    ({ close }) => close(),
  );
  const metrics = createMetrics(database);

  const redis = settings.REDIS_URL
    ? parts.adopt(new RedisConnection({ url: settings.REDIS_URL, onState: () => void health.check('cache') }), (opened) => opened.close())
    : undefined;
  const ttlSeconds = settings.USER_CACHE_TTL_SECONDS;
  const shared = redis && new SharedCache({ redis, ttlSeconds });
  const cache = new CallerCache({ ttlSeconds, shared, trusted: () => invalidations.trusted(), onLookup: metrics.callerLookup });
  const invalidations = parts.adopt(
    listenForCallerInvalidations({
      ...connection,
      onInvalidation: (invalidation) => void cache.invalidate(invalidation),
      onTrust: (trusted) => {
        if (!trusted) return log.warn('invalidations from other instances do not arrive: callers are not cached');
        // Invalidations were missed until now.
        void cache.invalidate({ all: true });
        log.info('invalidations from other instances arrive');
      },
    }),
    ({ close }) => close(),
  );

  const rewriteUrl = internalUrlRewrite(settings.IDENTITY_REALM_URL, settings.IDENTITY_INTERNAL_URL);
  const userIssuer = new Issuer(settings.IDENTITY_REALM_URL, rewriteUrl);
  const serviceIssuer =
    settings.IDENTITY_AUTH_URL === settings.IDENTITY_REALM_URL
      ? userIssuer
      : new Issuer(settings.IDENTITY_AUTH_URL, internalUrlRewrite(settings.IDENTITY_AUTH_URL, settings.IDENTITY_INTERNAL_URL));
  const audience = settings.IDENTITY_AUDIENCE === anyAudience ? undefined : settings.IDENTITY_AUDIENCE;
  const verifier = (issuer: Issuer) => new TokenVerifier({ issuer, clientId: settings.IDENTITY_CLIENT_ID, audience });
  const authenticator = createAuthenticator({ users: verifier(userIssuer), services: verifier(serviceIssuer), cache, database });

  const [baseUrl = '', realm = ''] = rewriteUrl(settings.IDENTITY_REALM_URL).split('/realms/');
  const identity = createIdentityProvider({
    baseUrl,
    realm,
    clientId: settings.IDENTITY_CLIENT_ID,
    clientSecret: settings.IDENTITY_CLIENT_SECRET,
    onCall: (operation, ok, seconds) => metrics.dependencyRequest('identity', operation, ok, seconds),
  });
  const storage = parts.adopt(
    createStorage({
      settings,
      onCall(operation, seconds, error) {
        metrics.dependencyRequest('storage', operation, !error, seconds);
        if (error && operation !== 'check') log.warn({ operation, reason: String(error) }, 'the object storage failed');
      },
    }),
    (opened) => opened.close(),
  );

  const issuers = [...new Set([userIssuer, serviceIssuer])];
  parts.defer(() => health.stop());
  await health.start({
    checks: createHealthChecks({ database, issuers, storage, redis }),
    hasKeys: () => issuers.every((issuer) => issuer.ready),
    intervalMs: options.healthIntervalMs,
  });

  const basePath = settings.STORAGE_BASE_PATH;
  const jobs = parts.adopt(startJobs({ connection, identity, storage, basePath, metrics, log }), (runner) => runner.stop());

  const transactions = createTransactions(database, cache);
  const rateLimits = createRateLimits({ settings, redis, windowSeconds: options.limitWindowSeconds, onRefused: metrics.rateLimited });
  const concurrency = createConcurrencyLimits({ settings, limits: options.tenantLimits, onRefused: () => metrics.rateLimited('tenant') });
  const limitAddress = createAddressLimit(rateLimits, settings.TRUST_PROXY);
  const handlerDependencies = { identity, jobs, attachmentFiles: createAttachmentFiles(storage, basePath) };
  const operationOptions = {
    authenticator,
    database,
    transactions,
    handlerDependencies,
    rateLimits,
    concurrency,
    log,
    onDone: metrics.request,
  };
  const operations = endpoints.map((named) => createOperation(named, handlerOf(named.endpoint), operationOptions));
  const server = createHttpServer(
    createListener({
      rest: createRestTransport(operations, settings.ATTACHMENT_MAX_BYTES),
      trpc: createTrpcTransport(operations, publicUrl, limitAddress),
      pages: createPages({ settings, publicUrl, health }),
      limitAddress,
      outboundBuffer: concurrency.outboundBuffer,
      cors: createCorsPolicy(
        settings.CORS_ORIGINS ?? [],
        endpoints.map(({ endpoint }) => endpoint),
      ),
      docsBase: publicUrl,
      log,
    }),
    publicUrl,
    options.clientLimits,
  );
  const management = settings.MANAGEMENT_PORT === undefined ? undefined : createManagementServer(metrics, health);
  parts.defer(async () => void (await Promise.all([drain(server), management && drain(management)])));

  const stopping = parts.adopt(new AbortController(), (controller) => controller.abort());
  await bootstrapGlobal(
    settings,
    { db: withoutScopedTables(database.db), identity, jobs, transaction: (work) => transactions.run({ kind: 'none' }, work) },
    log,
    stopping.signal,
  );
  const port = await listen(server, settings.PORT, settings.HOST);
  const managementPort = management && (await listen(management, settings.MANAGEMENT_PORT ?? 0, settings.HOST));
  log.info({ port, managementPort }, 'listening');
  return {
    url: `http://localhost:${port}`,
    port,
    managementUrl: managementPort === undefined ? undefined : `http://localhost:${managementPort}`,
  };
}
