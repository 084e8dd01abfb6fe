import type { JobName } from '@profile-service/db';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { DetailedHealthReport } from '../observability/health.ts';

/** The messages between the primary process and its workers. */

/** The metrics of one process, as `Registry.getMetricsAsJSON` returns them. */
export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** What the primary process asks its workers for. */
export interface Answers {
  metrics: ProcessMetrics;
  health: DetailedHealthReport;
}

export type Question = keyof Answers;

/** The first message to a worker. */
export interface Start {
  /** 1 to WEB_CONCURRENCY. A replacement has the number of the worker that it replaces. */
  number: number;
  /** Whether this worker runs the jobs. The others only add jobs. */
  runsJobs: boolean;
}

export type MessageToWorker = { start: Start } | { id: number; question: Question } | { wake: JobName };

export type MessageToPrimary = { id: number; answer: Answers[Question] } | { added: JobName };
