import { setTimeout as pause } from 'node:timers/promises';
import { endpoints } from '@profile-service/contracts';
import { connect, unscoped } from '@profile-service/db';
import type { ResolveHost } from '@profile-service/webhooks';
import { createApp } from '../app.ts';
import { startAuthentication } from './authentication.ts';
import { bootstrapGlobal, bootstrapOrigin } from './bootstrap-global.ts';
import { databaseConnections } from './database-connections.ts';
import { connectDependencies } from './dependencies.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { startJobs } from '../jobs/start.ts';
import type { JobQueue } from '../request/job-queue.ts';
import { createConcurrencyLimits, type TenantLimits } from '../request/limits/concurrency-limits.ts';
import { EventStreams, type EventStreamTimes } from '../request/limits/event-streams.ts';
import { createRateLimits } from '../request/limits/rate-limits.ts';
import { neverAborted } from '../request/limits/slots.ts';
import { EventPoller } from '../journal/event-poller.ts';
import { createHealthChecks } from '../observability/health-checks.ts';
import { createHealthMetrics } from '../observability/health-metrics.ts';
import { type Health, HealthMonitor } from '../observability/health.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { startTracing } from '../observability/tracing/start-tracing.ts';
import { createIdempotencyClaims } from '../request/idempotency-claims.ts';
import { createOperation } from '../request/operation.ts';
import { createRefusalRecorder } from '../request/record-refusal.ts';
import { createTransactions } from '../request/transactions.ts';
import { createImportFiles } from '../imports/import-files.ts';
import { compileRowEndpoints } from '../imports/row-endpoints.ts';
import { createUserRate } from '../imports/run-import.ts';
import { runImports } from '../imports/run-imports.ts';
import { createAttachmentFiles } from '../resources/attachment-files.ts';
import { handlerOf } from '../resources/index.ts';
import type { ProvisioningContext } from '../resources/provision-user.ts';
import type { Settings } from '../settings.ts';
import { shutdownTimes } from './shutdown-times.ts';
import type { StopSteps } from './stop-steps.ts';
import { webhookSettings } from './webhook-settings.ts';
import { drain } from '../transports/http/drain.ts';
import { type ClientLimits, clientLimits, createHttpServer, listen } from '../transports/http/server.ts';
import { createManagementServer } from '../transports/management.ts';
import type { HtmlPage } from '../transports/pages/layout.ts';

/** How many users imports create in a second, on each instance. */
const usersPerSecond = 10;

/** Deviations from the defaults, for tests and `npm start`. */
export interface ComposeOptions {
  /** Time between two health checks of a dependency, in milliseconds. */
  healthIntervalMs?: number;
  /** Window of the rate limits; default 1 second. */
  limitWindowSeconds?: number;
  /** Time limits for clients that differ from the settings. */
  clientLimits?: Partial<ClientLimits>;
  /** How long a stop waits for requests on idle connections, in milliseconds; default 1,000. */
  idleConnectionMs?: number;
  /** The page at `/`, for `npm start`. Default: links to the other pages. */
  landing?: HtmlPage;
  /** Times of event streams that differ from the defaults. */
  eventStreamTimes?: Partial<EventStreamTimes>;
  /** Limits per tenant that differ from the defaults. */
  tenantLimits?: Partial<TenantLimits>;
  /** Whether imports stay queued. */
  pauseImports?: boolean;
  /** Resolves the host names of webhooks instead of DNS. */
  resolveHost?: ResolveHost;
}

/** The parts of a running service that its process uses. */
export interface Composition {
  port: number;
  managementPort: number | undefined;
  metrics: Metrics;
  health: Health;
  jobs: JobRunner;
  /** Runs imports until the signal is aborted, as the job does. For tests with `pauseImports`. */
  runImports(signal: AbortSignal): Promise<void>;
}

/**
 * The composition root: creates the components of the service, connects them and starts listening.
 * @param stopSteps gets a step for each component that must be closed; the caller runs them
 */
export async function compose(settings: Settings, options: ComposeOptions, log: Log, stopSteps: StopSteps): Promise<Composition> {
  const tracing = stopSteps.adopt('tracing', await startTracing(settings, log), (started) => started?.close());
  const health = new HealthMonitor(log);
  const publicUrl = (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/$/, '');
  const connections = databaseConnections(settings);
  const { direct } = connections;
  const { database, metrics, replica, redis, identity, storage, checkIdentityAccess } = await connectDependencies({
    settings,
    connections,
    tracing,
    check: (part) => health.check(part),
    log,
    stopSteps,
  });
  createHealthMetrics(metrics.registry, health);
  const concurrency = createConcurrencyLimits({
    settings,
    limits: options.tenantLimits,
    onRejected: () => metrics.rateLimited('tenant'),
    onOverloaded: metrics.overloaded,
    onWaited: metrics.waited,
  });
  metrics.observeQueue(() => concurrency.database.waiting);
  const { authenticator, cache, issuers } = startAuthentication({
    settings,
    connection: direct,
    database,
    redis,
    metrics,
    log,
    tracing,
    stopSteps,
    admitLoad: async (sub, load) => concurrency.callers.run(sub, neverAborted, load),
  });

  stopSteps.add('health checks', () => health.stop());
  // The first checks run while the rest is created.
  const checked = health.start({
    checks: createHealthChecks({ database, connection: connections.requests, issuers, checkIdentityAccess, storage, redis }),
    hasKeys: () => issuers.every((issuer) => issuer.ready),
    replicaReasons: replica && (() => replica.reasons()),
    intervalMs: options.healthIntervalMs,
  });

  const basePath = settings.STORAGE_BASE_PATH;
  const { drainMs } = shutdownTimes(settings);
  const retentionDays = settings.AUDIT_RETENTION_DAYS;
  const webhooks = stopSteps.adopt(
    'webhook client',
    webhookSettings(settings, concurrency.webhookChecks, options.resolveHost),
    ({ client }) => client.close(),
  );
  // On a connection of its own: waiting readers must not use up those of requests.
  const eventDatabase = stopSteps.adopt(
    'event poller',
    connect({ ...connections.requests, max: 1, applicationName: 'profile-service-events' }),
    ({ close }) => close(),
  );
  const exports = {
    maxSeconds: settings.EXPORT_MAX_SECONDS,
    // On connections of their own, and without spans: a file of a million records has thousands of statements.
    database: stopSteps.adopt(
      'exports',
      connect({
        ...connections.requests,
        max: settings.EXPORTS_AT_ONCE,
        applicationName: 'profile-service-exports',
        responseMs: (settings.EXPORT_MAX_SECONDS + 2) * 1000,
      }),
      ({ close }) => close(),
    ),
  };
  const events = new EventPoller(eventDatabase.executor);
  const importFiles = createImportFiles(storage, basePath, settings.IMPORT_MAX_BYTES);
  // Two connections: the imports of several tenants take turns, and leave the connections of requests free.
  const importDatabase = stopSteps.adopt(
    'imports',
    connect({ ...connections.requests, max: 2, applicationName: 'profile-service-imports' }),
    ({ close }) => close(),
  );
  const attachmentFiles = createAttachmentFiles(storage, basePath);
  const importing = {
    authenticator,
    database: importDatabase,
    transactions: createTransactions(importDatabase, cache, replica),
    rowEndpoints: compileRowEndpoints(handlerOf),
    waitForUser: createUserRate(usersPerSecond),
  };
  const runQueued = (queue: JobQueue, signal: AbortSignal) =>
    runImports({ ...importing, handlerDependencies: { identity, jobs: queue, attachmentFiles, importFiles, webhooks } }, log, signal);
  const jobs = stopSteps.adopt(
    'jobs',
    startJobs({
      connection: direct,
      identity,
      storage,
      basePath,
      retentionDays,
      webhooks,
      webhookConcurrency: settings.WEBHOOK_CONCURRENCY,
      events,
      importFiles,
      runImports: async (queue, signal) => {
        if (!options.pauseImports) await runQueued(queue, signal);
      },
      stopMs: drainMs,
      metrics,
      log,
      tracing,
    }),
    (runner) => runner.stop(),
  );

  const transactions = createTransactions(database, cache, replica);
  const rateLimits = createRateLimits({ settings, redis, windowSeconds: options.limitWindowSeconds, onRejected: metrics.rateLimited });
  const handlerDependencies = { identity, jobs, attachmentFiles, importFiles, webhooks };
  const idempotencyClaims = stopSteps.adopt('idempotency claims', createIdempotencyClaims(unscoped(database.executor), log), (claims) =>
    claims.stop(),
  );
  const eventStreams = new EventStreams(settings.EVENT_STREAMS_PER_TENANT, options.eventStreamTimes);
  metrics.observeStreams(() => eventStreams.open);
  const stepDependencies = {
    authenticator,
    database,
    replica,
    transactions,
    handlerDependencies,
    rateLimits,
    concurrency,
    idempotencyClaims,
    events,
    exports,
    eventStreams,
  };
  const recordRefusal = createRefusalRecorder(database.executor, concurrency.callers, replica);
  const operationOptions = { ...stepDependencies, recordRefusal, log, tracing, onDone: metrics.request };
  const operations = endpoints.map((named) => createOperation(named, handlerOf(named.endpoint), operationOptions));
  const app = createApp({
    settings,
    publicUrl,
    operations,
    health,
    rateLimits,
    admission: concurrency.database,
    outboundBuffer: concurrency.outboundBuffer,
    log,
    tracing,
    landing: options.landing,
  });
  const server = createHttpServer(app, publicUrl, { ...clientLimits(settings), ...options.clientLimits });
  const management =
    settings.MANAGEMENT_PORT === undefined
      ? undefined
      : createManagementServer({ registry: metrics.registry, health: () => health.detailedReport(), log });
  const drainOptions = { drainMs, idleMs: options.idleConnectionMs };
  stopSteps.addTogether({
    requests: () => {
      events.stop();
      return drain(server, drainOptions);
    },
    'management port': () => management && drain(management, drainOptions),
    'running jobs': () => jobs.drain(),
  });
  stopSteps.add('announcement', async () => {
    jobs.pause();
    if (server.listening) await announceStop(health, settings.SHUTDOWN_DELAY_SECONDS, log);
  });

  await checked;
  const stopping = stopSteps.adopt('first Global user', new AbortController(), (controller) => controller.abort());
  const transaction: ProvisioningContext['transaction'] = (work) => transactions.run({ kind: 'none' }, () => bootstrapOrigin, work);
  await bootstrapGlobal(settings, { unscoped: unscoped(database.executor), identity, jobs, transaction }, log, stopping.signal);
  stopping.signal.throwIfAborted();
  const port = await listen(server, settings.PORT, settings.HOST);
  const managementPort = management && (await listen(management, settings.MANAGEMENT_PORT ?? 0, settings.HOST));
  log.info({ port, managementPort }, 'listening');
  return { port, managementPort, metrics, health, jobs, runImports: (signal) => runQueued(jobs, signal) };
}

/** Makes the instance not ready, then waits until the platform sends it no more requests. */
async function announceStop(health: HealthMonitor, delaySeconds: number, log: Log): Promise<void> {
  log.info({ delaySeconds }, 'stopping');
  health.announceStop();
  await pause(delaySeconds * 1000);
}
