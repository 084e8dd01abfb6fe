import { createIdentityProvider, type IdentityProvider, internalUrlRewrite, RedisConnection } from '@profile-service/auth';
import { connect, type ConnectOptions, type Database } from '@profile-service/db';
import { createStorage, type Storage } from '@profile-service/storage';
import type { DatabaseConnections } from './database-connections.ts';
import { createIdentityAccessCheck } from '../observability/check-identity-access.ts';
import type { Dependency } from '../observability/health.ts';
import type { Log } from '../observability/log.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { createReplicaMetrics } from '../observability/replica-metrics.ts';
import { withoutSpan } from '../observability/tracing/active-span.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { ReadReplica } from '../request/read-replica.ts';
import type { Settings } from '../settings.ts';
import type { StopSteps } from './stop-steps.ts';

export interface DependencyOptions {
  settings: Settings;
  connections: DatabaseConnections;
  /** Undefined if tracing is off. */
  tracing: Tracing | undefined;
  /** Checks a dependency whose state seems to have changed. */
  check: (dependency: Dependency) => void;
  log: Log;
  /** Gets a step for each dependency that must be closed. */
  stopSteps: StopSteps;
}

/** What the service needs outside of its process. */
export interface Dependencies {
  database: Database;
  /** Their values come from the database and from the calls of the dependencies. */
  metrics: Metrics;
  /** Undefined without DATABASE_REPLICA_URL. */
  replica: ReadReplica | undefined;
  /** Undefined without REDIS_URL. */
  redis: RedisConnection | undefined;
  identity: IdentityProvider;
  /** Checks the service's client at the identity provider. */
  checkIdentityAccess: () => Promise<void>;
  storage: Storage;
}

/** Connects the database, Redis, the identity provider and the storage, with their metrics and traces. None of them has to be reachable. */
export async function connectDependencies(options: DependencyOptions): Promise<Dependencies> {
  const { settings, connections, tracing, check, log, stopSteps } = options;
  const onError = (error: Error) => {
    withoutSpan(() => log.debug({ reason: error.message }, 'a database connection was lost'));
    check('database');
  };
  const database = stopSteps.adopt(
    'database',
    connect({ ...connections.requests, ...poolOptions(options, connections.requests), onError }),
    ({ close }) => close(),
  );
  const metrics = createMetrics(database);
  const replica = settings.DATABASE_REPLICA_URL
    ? stopSteps.adopt('read replica', connectReplica(options, settings.DATABASE_REPLICA_URL, metrics), (opened) => opened.close())
    : undefined;
  const redis = settings.REDIS_URL
    ? stopSteps.adopt(
        'Redis',
        await RedisConnection.open({
          url: settings.REDIS_URL,
          commandTimeoutMs: settings.REDIS_TIMEOUT_MILLISECONDS,
          onState: () => check('cache'),
          trace: tracing?.callsOf('redis'),
        }),
        (opened) => opened.close(),
      )
    : undefined;
  const storage = stopSteps.adopt(
    'storage',
    await createStorage({
      settings,
      onCall(operation, seconds, error) {
        metrics.dependencyRequest('storage', operation, !error, seconds);
        if (error && operation !== 'check') log.warn({ operation, reason: String(error) }, 'the object storage failed');
      },
      trace: tracing?.callsOf('storage'),
      onBucketCreated: () => log.info({ bucket: settings.STORAGE_BUCKET }, 'the storage bucket was created'),
    }),
    (opened) => opened.close(),
  );
  return { database, metrics, replica, redis, storage, ...connectIdentityProvider(options, metrics) };
}

const poolOptions = ({ settings, tracing }: DependencyOptions, { connectionString }: Pick<ConnectOptions, 'connectionString'>) => ({
  max: settings.DATABASE_POOL_MAX,
  applicationName: 'profile-service',
  observer: tracing?.databaseObserver(connectionString),
});

function connectReplica(options: DependencyOptions, connectionString: string, metrics: Metrics): ReadReplica {
  const { direct } = options.connections;
  return new ReadReplica({
    primary: direct,
    replica: { ...direct, connectionString },
    pool: poolOptions(options, { connectionString }),
    createMetrics: (followed) => createReplicaMetrics(metrics.registry, followed),
    log: options.log,
  });
}

function connectIdentityProvider({ settings, tracing }: DependencyOptions, metrics: Metrics) {
  const issuerUrl = settings.IDENTITY_REALM_URL;
  const client = {
    realmUrl: internalUrlRewrite(issuerUrl, settings.IDENTITY_INTERNAL_URL)(issuerUrl),
    clientId: settings.IDENTITY_CLIENT_ID,
    clientSecret: settings.IDENTITY_CLIENT_SECRET,
  };
  const identity = createIdentityProvider({
    ...client,
    mailLink: mailLinkOf(settings),
    timeoutMs: settings.IDENTITY_TIMEOUT_SECONDS * 1000,
    onCall: (operation, ok, seconds) => metrics.dependencyRequest('identity', operation, ok, seconds),
    trace: tracing?.callsOf('identity'),
  });
  return { identity, checkIdentityAccess: createIdentityAccessCheck(client) };
}

/** The link of the password mail, if it is configured. */
function mailLinkOf({ IDENTITY_MAIL_CLIENT_ID: clientId, IDENTITY_MAIL_REDIRECT_URL: redirectUri }: Settings) {
  return clientId !== undefined && redirectUri !== undefined ? { clientId, redirectUri } : undefined;
}
