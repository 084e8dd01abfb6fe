import { Gauge, Histogram, type Registry } from 'prom-client';
import { type Database, jobSchema } from '@profile-service/db';

export interface JobMetrics {
  /** Records a completed run. */
  ran(job: string, outcome: 'ok' | 'failed', seconds: number): void;
}

interface Backlog {
  name: string;
  waiting: number;
  overdue: number;
}

/**
 * Reads the number of waiting jobs from the database, so each instance reports the same numbers. The next run of a job whose runs follow each other is not
 * waiting while one runs.
 */
const backlog = `
  select queue.name, count(job.id)::int as waiting,
    greatest(coalesce(extract(epoch from now() - min(job.start_after)), 0), 0)::float8 as overdue
  from unnest($1::text[]) queue (name) left join ${jobSchema}.job on job.name = queue.name and job.state < 'active'
    and not exists (
      select from ${jobSchema}.job as running where running.name = queue.name and running.state = 'active' and running.policy = 'stately'
    )
  group by queue.name`;

/** Adds the metrics of these jobs to the registry. Their label is `job_name`, because Prometheus sets the label `job` of everything it scrapes. */
export function createJobMetrics(registry: Registry, { pool }: Pick<Database, 'pool'>, names: readonly string[]): JobMetrics {
  const registers = [registry];
  const runs = new Histogram({
    name: 'profile_job_duration_seconds',
    help: 'Duration of job runs by job and outcome',
    labelNames: ['job_name', 'outcome'],
    buckets: [0.05, 0.1, 0.5, 1, 5, 10, 60, 600, 3_600],
    registers,
  });
  // Prometheus computes no increase for a counter that first appears with 1.
  for (const job of names) for (const outcome of ['ok', 'failed']) runs.zero({ job_name: job, outcome });
  let reading: Promise<Backlog[]> | undefined;
  /** Both gauges of a scrape use one query. While the database is unreachable, only these two gauges are absent. */
  const read = () =>
    (reading ??= pool
      .query<Backlog>(backlog, [names])
      .then(({ rows }) => rows)
      .catch(() => [])
      .finally(() => (reading = undefined)));
  const gauge = (name: string, help: string, field: 'waiting' | 'overdue') =>
    new Gauge({
      name,
      help,
      labelNames: ['job_name'],
      registers,
      async collect() {
        const rows = await read();
        this.reset();
        for (const row of rows) this.set({ job_name: row.name }, row[field]);
      },
    });
  gauge('profile_jobs_waiting', 'Jobs that are due now or later, including retries, by job', 'waiting');
  gauge('profile_job_overdue_seconds', 'How long the oldest due job has waited, by job', 'overdue');
  return { ran: (job, outcome, seconds) => runs.observe({ job_name: job, outcome }, seconds) };
}
