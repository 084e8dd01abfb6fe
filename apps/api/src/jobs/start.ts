import { connect, type ConnectOptions } from '@profile-service/db';
import type { IdentityProvider } from '@profile-service/auth';
import type { Storage } from '@profile-service/storage';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { auditPartitionsJob } from './audit-partitions.ts';
import { eventCleanupJob } from './event-cleanup.ts';
import { idempotencyKeyCleanupJob } from './idempotency-key-cleanup.ts';
import { createJobMetrics } from './metrics.ts';
import { passwordMailJob } from './password-mails.ts';
import { type JobRunner, startJobRunner } from './runner.ts';
import { storageCleanupJob } from './storage-cleanup.ts';

export interface JobDependencies {
  connection: Pick<ConnectOptions, 'connectionString' | 'ca' | 'statementTimeoutSeconds'>;
  identity: IdentityProvider;
  storage: Storage;
  /** Prefix of every key in the storage, without a slash at its end. */
  basePath: string;
  /** How many days audit entries and events are kept. */
  retentionDays: { audit: number; events: number };
  /** How long a stop waits for running jobs, in milliseconds. */
  stopMs: number;
  metrics: Metrics;
  log: Log;
  tracing: Tracing | undefined;
}

/** Starts all jobs, on a pool of three connections of their own. */
export function startJobs({
  connection,
  identity,
  storage,
  basePath,
  retentionDays,
  stopMs,
  metrics,
  log,
  tracing,
}: JobDependencies): JobRunner {
  const observer = tracing?.databaseObserver(connection.connectionString);
  const database = connect({ ...connection, max: 3, applicationName: 'profile-service-jobs', observer });
  const jobs = [
    passwordMailJob(database, identity),
    storageCleanupJob({ database, storage, basePath, log, onReport: metrics.storageCleaned }),
    auditPartitionsJob({ database, retentionDays: retentionDays.audit, log }),
    eventCleanupJob({ database, retentionDays: retentionDays.events, log }),
    idempotencyKeyCleanupJob(database),
  ];
  const names = jobs.map(({ name }) => name);
  return startJobRunner({ database, jobs, metrics: createJobMetrics(metrics.registry, database, names), log, tracing, stopMs });
}
