import { setTimeout as pause } from 'node:timers/promises';
import { type Database, type JobName, jobSchema } from '@profile-service/db';
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { JobQueue } from '../handler/job-queue.ts';
import type { Log } from '../observability/log.ts';
import type { AnyJob, Job } from './job.ts';
import type { JobMetrics } from './metrics.ts';
import { OutageReport, reasonOf } from './outage.ts';
import { queueDatabase } from './queue-database.ts';

const startRetryMs = 1_000;

export interface RunnerOptions {
  /** A pool of its own: requests that use up theirs must not keep a job from being marked as done. */
  database: Database;
  jobs: readonly AnyJob[];
  metrics: JobMetrics;
  log: Log;
  /** How often the jobs of crashed processes are looked for, in seconds; 30 unless told. */
  superviseSeconds?: number;
  /** How long a stop waits for running jobs, in milliseconds; 7,000 unless told, since the whole service has 9 s. */
  stopMs?: number;
}

export interface JobRunner extends JobQueue {
  /** Takes no new job and waits for the running ones. What still runs after 7 s is left to another process. */
  stop(): Promise<void>;
}

/**
 * Runs jobs from the queue in the database, one of each kind at a time. Several processes share the work.
 * Returns at once. While the database is away it tries again and the process goes on.
 */
export function startJobRunner({ database, jobs, metrics, log, superviseSeconds = 30, stopMs = 7_000 }: RunnerOptions): JobRunner {
  const outage = new OutageReport(log);
  let ready = false;
  const boss = new PgBoss({
    db: queueDatabase(database, (error) => {
      if (error && outage.covers(error)) outage.begin(error);
      else if (!error && ready) outage.end();
    }),
    schema: jobSchema,
    // The migration command owns the schema.
    migrate: false,
    reindex: false,
    // Finds the jobs of crashed processes.
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    // Not used: cron, jobs that depend on others, reports on vacuum.
    schedule: false,
    flowIntervalSeconds: 3_600,
    monitorVacuum: false,
  });
  boss.on('error', (error) => outage.covers(error) || log.error({ reason: error.message }, 'the job queue failed'));
  const workers = new Map<JobName, string>();
  const stopping = new AbortController();
  const { signal } = stopping;

  async function start(): Promise<void> {
    await boss.start();
    ready = true;
    outage.end();
  }

  async function startWorkers(): Promise<void> {
    while (!signal.aborted) {
      try {
        await start();
        for (const job of jobs) await startWorker(job);
        return;
      } catch (error) {
        outage.begin(error);
        await pause(startRetryMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async function startWorker(job: AnyJob): Promise<void> {
    const { name, pollSeconds, repeat } = job;
    if (repeat) await boss.send(name, {}, { startAfter: repeat.firstAfterSeconds });
    if (workers.has(name) || signal.aborted) return;
    const options = { includeMetadata: true, pollingIntervalSeconds: pollSeconds } as const;
    const worker = await boss.work(name, options, async ([found]: JobWithMetadata[]) => {
      if (!found) return;
      await run(job as Job, found).finally(() => wake(name));
    });
    workers.set(name, worker);
  }

  async function run({ name, run: work, repeat }: Job, { data, retryCount, retryLimit }: JobWithMetadata): Promise<void> {
    // First: however this run ends, there is a next one.
    if (repeat) await boss.send(name, {}, { startAfter: repeat.everySeconds });
    const startedAt = performance.now();
    const reason = await work(data as never, { signal }).then(() => null, reasonOf);
    metrics.ran(name, reason === null ? 'ok' : 'failed', (performance.now() - startedAt) / 1000);
    if (reason === null) return;
    const fields = { job: name, ...data, reason };
    if (repeat && !signal.aborted) return log.warn(fields, 'job failed, will run again at its next time');
    if (retryCount < retryLimit) log.warn(fields, 'job failed, will be retried');
    else log.error(fields, 'job failed and was given up');
    // The queue stores what is thrown. The original error may carry a request with its credentials.
    throw new Error(reason);
  }

  /** Lets the worker look for the next due job now instead of at the next poll. */
  function wake(name: JobName): void {
    const worker = workers.get(name);
    if (worker) boss.notifyWorker(worker);
  }

  const starting = startWorkers();
  return {
    async add({ db, afterCommit }, name, data) {
      if (!ready) await start();
      await boss.send(name, data, { db: fromKysely(db) });
      afterCommit(() => wake(name));
    },
    async stop() {
      stopping.abort();
      const finished = starting.then(() => Promise.all([...workers.keys()].map((name) => boss.offWork(name, { wait: true }))));
      await Promise.race([finished, pause(stopMs, undefined, { ref: false })]);
      await boss.stop({ graceful: false });
      await database.close();
    },
  };
}
