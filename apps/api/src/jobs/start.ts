import { connect, type ConnectOptions } from '@profile-service/db';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { jobs } from './index.ts';
import type { JobDependencies } from './job.ts';
import { createWebhookMetrics } from '../webhooks/metrics.ts';
import { createJobMetrics } from './metrics.ts';
import { type JobRunner, type RunnerOptions, startJobRunner } from './runner.ts';

export interface JobsOptions extends Omit<JobDependencies, 'database' | 'onReport' | 'onWebhookAttempt'>, Pick<RunnerOptions, 'stopMs'> {
  connection: Pick<ConnectOptions, 'connectionString' | 'ca' | 'statementTimeoutSeconds'>;
  metrics: Metrics;
  tracing: Tracing | undefined;
}

/** Starts all jobs, on a pool of three connections of their own. */
export function startJobs({ connection, metrics, tracing, stopMs, ...others }: JobsOptions): JobRunner {
  const observer = tracing?.databaseObserver(connection.connectionString);
  const database = connect({ ...connection, max: 3, applicationName: 'profile-service-jobs', observer });
  const dependencies = {
    ...others,
    database,
    onReport: metrics.storageCleaned,
    onWebhookAttempt: createWebhookMetrics(metrics.registry, database, others.webhooks.secretBox),
  };
  const names = jobs.map(({ name }) => name);
  return startJobRunner({ jobs, dependencies, metrics: createJobMetrics(metrics.registry, database, names), tracing, stopMs });
}
