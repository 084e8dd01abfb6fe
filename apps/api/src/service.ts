import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { startStorageCleanup } from './jobs/storage-cleanup/storage-cleanup.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { createConcurrencyLimits, type TenantLimits } from './limits/concurrency-limits.ts';
import { createOperation } from './operation/operation.ts';
import { createTransactions } from './operation/transactions.ts';
import { createIdentityProvider } from './integrations/identity-provider/identity-provider.ts';
import { createStorage } from './integrations/storage/storage.ts';
import { createAttachmentFiles } from './resources/attachment-files.ts';
import { handlerOf } from './resources/index.ts';
import { startPasswordMails } from './jobs/password-mails.ts';
import { watchHealth } from './observability/health.ts';
import { createLog, type Log } from './observability/log.ts';
import { createManagementServer } from './transports/management.ts';
import { createMetrics } from './observability/metrics.ts';
import type { Settings } from './settings.ts';

/** A platform kills what has not ended 10 s after it was asked to. */
const stopMs = 9_000;

export interface Service {
  /** Address on this machine. */
  url: string;
  port: number;
  /** Address of the management port on this machine, where there is one. */
  managementUrl: string | undefined;
  /** Stops accepting, finishes what runs, closes everything; within 10 s. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Absent: JSON lines on standard output. */
  log?: Log;
  /** How often the parts are looked at for the health report. */
  healthIntervalMs?: number;
  /** Of the rate limits, for tests that count; a second unless told. */
  limitWindowSeconds?: number;
  /** How long clients may take; the usual limits unless told. */
  clientLimits?: Partial<ClientLimits>;
  /** What one tenant may hold at once; the usual limits unless told. */
  tenantLimits?: Partial<TenantLimits>;
}

/** The composition root: settings → parts → operations → faces → a listening service. Tests use it as production does. */
export async function startService(settings: Settings, options: ServiceOptions = {}): Promise<Service> {
  const stopping = new AbortController();
  const log = options.log ?? createLog(settings.LOG_LEVEL);
  const publicUrl = (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/$/, '');
  const connection = { connectionString: settings.DATABASE_URL, ...authorityIn(settings.DATABASE_CA_FILE) };
  const database = connect({
    ...connection,
    max: settings.DATABASE_POOL_MAX,
    applicationName: 'profile-service',
    onError: (error) => log.warn({ reason: error.message }, 'a database connection was lost'),
  });
  const metrics = createMetrics(database);

  const ttlSeconds = settings.USER_CACHE_TTL_SECONDS;
  const redis = settings.REDIS_URL
    ? new RedisConnection({
        url: settings.REDIS_URL,
        onState: (up, error) =>
          up ? log.info('redis answers') : log.warn({ reason: error?.message }, 'redis is away: going on without it'),
      })
    : undefined;
  const shared = redis && new SharedCache({ redis, ttlSeconds });
  const cache = new CallerCache({ ttlSeconds, shared, trusted: () => invalidations.trusted(), onLookup: metrics.callerLookup });
  const invalidations = listenForCallerInvalidations({
    ...connection,
    onInvalidation: (invalidation) => void cache.invalidate(invalidation),
    onTrust: (trusted) => {
      if (!trusted) return log.warn('changes of other instances do not arrive: callers are not cached');
      // Nobody heard what changed in between.
      void cache.invalidate({ all: true });
      log.info('changes of other instances arrive');
    },
  });

  const reach = internalUrlRewrite(settings.IDENTITY_REALM_URL, settings.IDENTITY_INTERNAL_URL);
  const userIssuer = new Issuer(settings.IDENTITY_REALM_URL, reach);
  const serviceIssuer =
    settings.IDENTITY_AUTH_URL === settings.IDENTITY_REALM_URL
      ? userIssuer
      : new Issuer(settings.IDENTITY_AUTH_URL, internalUrlRewrite(settings.IDENTITY_AUTH_URL, settings.IDENTITY_INTERNAL_URL));
  const verifier = (issuer: Issuer) =>
    new TokenVerifier({ issuer, clientId: settings.IDENTITY_CLIENT_ID, audience: settings.IDENTITY_AUDIENCE });
  const authenticator = createAuthenticator({ users: verifier(userIssuer), services: verifier(serviceIssuer), cache, database });

  const [baseUrl = '', realm = ''] = reach(settings.IDENTITY_REALM_URL).split('/realms/');
  const identity = createIdentityProvider({
    baseUrl,
    realm,
    clientId: settings.IDENTITY_CLIENT_ID,
    clientSecret: settings.IDENTITY_CLIENT_SECRET,
    onCall: (operation, ok, seconds) => metrics.dependencyRequest('identity', operation, ok, seconds),
  });
  const storage = createStorage({
    settings,
    onCall(operation, seconds, error) {
      metrics.dependencyRequest('storage', operation, !error, seconds);
      if (error && operation !== 'check') log.warn({ operation, reason: String(error) }, 'the object storage failed');
    },
  });
  const passwordMails = startPasswordMails(database, identity, log);
  const basePath = settings.STORAGE_BASE_PATH;
  const janitor = startStorageCleanup({ database, storage, basePath, log, onReport: metrics.storageCleaned });
  const transactions = createTransactions(database, cache);

  const health = await watchHealth({
    checks: {
      database: () => database.pool.query('select 1'),
      identity: () => Promise.all([...new Set([userIssuer, serviceIssuer])].map((issuer) => issuer.refresh())),
      storage: () => storage.check(),
      cache: async () => {
        if (redis && !redis.up) throw new Error('redis is away');
      },
    },
    hasKeys: () => userIssuer.ready && serviceIssuer.ready,
    intervalMs: options.healthIntervalMs,
  });

  const rateLimits = createRateLimits({ settings, redis, windowSeconds: options.limitWindowSeconds, onRefused: metrics.rateLimited });
  const concurrency = createConcurrencyLimits({ settings, limits: options.tenantLimits, onRefused: () => metrics.rateLimited('tenant') });
  const limitAddress = createAddressLimit(rateLimits, settings.TRUST_PROXY);
  const services = { identity, passwordMails, attachmentFiles: createAttachmentFiles(storage, basePath) };
  const parts = { authenticator, database, transactions, services, rateLimits, concurrency, log, onDone: metrics.request };
  const operations = endpoints.map((named) => createOperation(named, handlerOf(named.endpoint), parts));
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

  await bootstrapGlobal(
    settings,
    { db: withoutScopedTables(database.db), identity, passwordMails, transaction: (work) => transactions.run({ kind: 'none' }, work) },
    log,
    stopping.signal,
  );
  await listen(server, settings.PORT, settings.HOST);
  if (management && settings.MANAGEMENT_PORT !== undefined) await listen(management, settings.MANAGEMENT_PORT, settings.HOST);
  const [port, managementPort] = [portOf(server), management && portOf(management)];
  log.info({ port, managementPort }, 'listening');

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.all([drain(server), management && drain(management), passwordMails.stop(), janitor.stop()]);
    health.stop();
    storage.close();
    await Promise.all([invalidations.close(), redis?.close(), database.close()]);
  }

  return {
    url: `http://localhost:${port}`,
    port,
    managementUrl: managementPort === undefined ? undefined : `http://localhost:${managementPort}`,
    async stop() {
      // A part that hangs is left behind: what it was asked for has its own limits, and the process ends.
      await Promise.race([stop(), pause(stopMs, undefined, { ref: false })]);
      log.info('stopped');
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
