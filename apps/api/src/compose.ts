import { internalUrlRewrite, RedisConnection } from '@profile-service/auth';
import { endpoints } from '@profile-service/contracts';
import { authorityIn, connect, withoutScopedTables } from '@profile-service/db';
import { startAuthentication } from './authentication.ts';
import { bootstrapGlobal } from './bootstrap-global.ts';
import { createIdentityProvider } from './integrations/identity-provider/identity-provider.ts';
import { createStorage } from './integrations/storage/create-storage.ts';
import { startJobs } from './jobs/start.ts';
import { createConcurrencyLimits, type TenantLimits } from './limits/concurrency-limits.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { createHealthChecks } from './observability/health-checks.ts';
import { HealthMonitor } from './observability/health.ts';
import type { Log } from './observability/log.ts';
import { createMetrics } from './observability/metrics.ts';
import { createOperation } from './operation/operation.ts';
import { createTransactions } from './operation/transactions.ts';
import { createAttachmentFiles } from './resources/attachment-files.ts';
import { handlerOf } from './resources/index.ts';
import type { Settings } from './settings.ts';
import { createAddressLimit } from './transports/http/address-limit.ts';
import { createCorsPolicy } from './transports/http/cors.ts';
import { createListener } from './transports/http/listener.ts';
import { type ClientLimits, createHttpServer, drain, listen } from './transports/http/server.ts';
import { createManagementServer } from './transports/management.ts';
import { createPages } from './transports/pages/pages.ts';
import { createRestTransport } from './transports/rest/rest.ts';
import { createTrpcTransport } from './transports/trpc/trpc.ts';

/** Deviations from the defaults, for tests. */
export interface ComposeOptions {
  /** Time between two health checks of a dependency, in milliseconds. */
  healthIntervalMs?: number;
  /** Time limit of a request to the identity provider, in milliseconds; default 5,000. */
  identityTimeoutMs?: number;
  /** Window of the rate limits; default 1 second. */
  limitWindowSeconds?: number;
  /** Time limits for clients that differ from the defaults. */
  clientLimits?: Partial<ClientLimits>;
  /** Limits per tenant that differ from the defaults. */
  tenantLimits?: Partial<TenantLimits>;
}

/**
 * The composition root: creates the components of the service, connects them and starts listening.
 * @param disposables gets each component that must be closed; the caller closes them in reverse order
 * @returns the ports on which the service listens
 */
export async function compose(
  settings: Settings,
  options: ComposeOptions,
  log: Log,
  disposables: AsyncDisposableStack,
): Promise<{ port: number; managementPort: number | undefined }> {
  const health = new HealthMonitor(log);
  const publicUrl = (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/$/, '');
  const connection = { connectionString: settings.DATABASE_URL, ...authorityIn(settings.DATABASE_CA_FILE) };
  const database = disposables.adopt(
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
    ? disposables.adopt(await RedisConnection.open({ url: settings.REDIS_URL, onState: () => void health.check('cache') }), (opened) =>
        opened.close(),
      )
    : undefined;
  const { authenticator, cache, issuers } = startAuthentication({ settings, connection, database, redis, metrics, log, disposables });

  const realmUrl = settings.IDENTITY_REALM_URL;
  const identity = createIdentityProvider({
    realmUrl: internalUrlRewrite(realmUrl, settings.IDENTITY_INTERNAL_URL)(realmUrl),
    clientId: settings.IDENTITY_CLIENT_ID,
    clientSecret: settings.IDENTITY_CLIENT_SECRET,
    timeoutMs: options.identityTimeoutMs,
    onCall: (operation, ok, seconds) => metrics.dependencyRequest('identity', operation, ok, seconds),
  });
  const storage = disposables.adopt(
    await createStorage({
      settings,
      onCall(operation, seconds, error) {
        metrics.dependencyRequest('storage', operation, !error, seconds);
        if (error && operation !== 'check') log.warn({ operation, reason: String(error) }, 'the object storage failed');
      },
    }),
    (opened) => opened.close(),
  );

  disposables.defer(() => health.stop());
  // The first checks run while the rest is created.
  const checked = health.start({
    checks: createHealthChecks({ database, issuers, storage, redis }),
    hasKeys: () => issuers.every((issuer) => issuer.ready),
    intervalMs: options.healthIntervalMs,
  });

  const basePath = settings.STORAGE_BASE_PATH;
  const jobs = disposables.adopt(startJobs({ connection, identity, storage, basePath, metrics, log }), (runner) => runner.stop());

  const transactions = createTransactions(database, cache);
  const rateLimits = createRateLimits({ settings, redis, windowSeconds: options.limitWindowSeconds, onRefused: metrics.rateLimited });
  const concurrency = createConcurrencyLimits({ settings, limits: options.tenantLimits, onRefused: () => metrics.rateLimited('tenant') });
  const limitAddress = createAddressLimit(rateLimits, settings.TRUST_PROXY);
  const handlerDependencies = { identity, jobs, attachmentFiles: createAttachmentFiles(storage, basePath) };
  const stepDependencies = { authenticator, database, transactions, handlerDependencies, rateLimits, concurrency };
  const operationOptions = { ...stepDependencies, log, onDone: metrics.request };
  const operations = endpoints.map((named) => createOperation(named, handlerOf(named.endpoint), operationOptions));
  const server = createHttpServer(
    createListener({
      rest: createRestTransport(operations, settings.ATTACHMENT_MAX_BYTES),
      trpc: createTrpcTransport(operations, publicUrl, limitAddress),
      pages: createPages({ settings, publicUrl, health }),
      limitAddress,
      outboundBuffer: concurrency.outboundBuffer,
      cors: createCorsPolicy(settings.CORS_ORIGINS ?? [], operations),
      docsBase: publicUrl,
      log,
    }),
    publicUrl,
    options.clientLimits,
  );
  const management = settings.MANAGEMENT_PORT === undefined ? undefined : createManagementServer(metrics, health);
  disposables.defer(async () => void (await Promise.all([drain(server), management && drain(management)])));

  await checked;
  const stopping = disposables.adopt(new AbortController(), (controller) => controller.abort());
  await bootstrapGlobal(
    settings,
    { db: withoutScopedTables(database.db), identity, jobs, transaction: (work) => transactions.run({ kind: 'none' }, work) },
    log,
    stopping.signal,
  );
  const port = await listen(server, settings.PORT, settings.HOST);
  const managementPort = management && (await listen(management, settings.MANAGEMENT_PORT ?? 0, settings.HOST));
  log.info({ port, managementPort }, 'listening');
  return { port, managementPort };
}
