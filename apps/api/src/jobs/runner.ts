import { setTimeout as sleep } from 'node:timers/promises';
import { jobSchema, transactionOf } from '@profile-service/db';
import { type JobWithMetadata, PgBoss } from 'pg-boss';
import type { JobQueue } from '../request/job-queue.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import type { AnyJob, JobDependencies } from './job.ts';
import type { JobMetrics } from './metrics.ts';
import { OutageReport, reasonOf } from './outage.ts';
import { createQueueDatabase } from './queue-database.ts';

/** How long to wait before the next attempt to start, in milliseconds. */
const startRetryMs = 1_000;
/** How old the queues that pg-boss keeps in memory may be, in seconds. */
const queueCacheSeconds = 5;

export interface RunnerOptions {
  jobs: readonly AnyJob[];
  /** With a pool of its own: requests that use up their pool must not keep a job from being marked as completed. */
  dependencies: JobDependencies;
  metrics: JobMetrics;
  /** Undefined if tracing is off. */
  tracing?: Pick<Tracing, 'inJob' | 'traceparent'> | undefined;
  /** How often to look for jobs of crashed processes, in seconds; default 10. */
  superviseSeconds?: number;
  /** How long a stop waits for running jobs, in milliseconds. */
  stopMs: number;
}

/** The data of a job in the queue, besides what the job itself has declared. */
interface QueuedData {
  /** The span that has added the job, for a link in the trace of its run. */
  traceparent?: string;
}

export interface JobRunner extends JobQueue {
  /** Looks for a due job now instead of at the next poll. */
  wake(name: string): void;
  /** Starts no more jobs. Jobs can still be added. */
  pause(): void;
  /** Starts no more jobs, aborts the running ones and waits for them, at most `stopMs`. Jobs can still be added. */
  drain(): Promise<void>;
  /** Same as `drain`, then closes the connections. Another process retries a job that has not completed by then. */
  stop(): Promise<void>;
}

/**
 * Starts running jobs from the queue in the database, one of each name at a time. Several processes can run jobs from the same queue.
 * Returns at once. While the database is unreachable, it retries the start in the background.
 */
export function startJobRunner(options: RunnerOptions): JobRunner {
  const { jobs, dependencies, metrics, tracing, superviseSeconds = 10, stopMs } = options;
  const { database, log } = dependencies;
  const outage = new OutageReport(log);
  let ready = false;
  const boss = new PgBoss({
    db: createQueueDatabase(database, (error) => {
      if (error && outage.covers(error)) outage.begin(error);
      else if (!error && ready) outage.end();
    }),
    schema: jobSchema,
    // The migration command creates the schema.
    migrate: false,
    reindex: false,
    // How often to look for jobs of crashed processes.
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    queueCacheIntervalSeconds: queueCacheSeconds,
    // Features that are not used: cron, jobs that depend on others, reports on vacuum.
    schedule: false,
    flowIntervalSeconds: 3_600,
    monitorVacuum: false,
  });
  boss.on('error', (error) => outage.covers(error) || log.error({ reason: error.message }, 'the job queue failed'));
  const workers = new Map<string, string>();
  /** Aborted when no more jobs may start. */
  const pausing = new AbortController();
  /** Aborts the running jobs. */
  const stopping = new AbortController();
  const { signal } = stopping;

  async function startQueue(): Promise<void> {
    await boss.start();
    for (const { name, queue } of jobs) {
      const { policy, ...changeable } = queue;
      await boss.createQueue(name, { ...changeable, ...(policy && { policy }) });
      // Another version may have created it.
      await boss.updateQueue(name, changeable);
    }
    ready = true;
    outage.end();
  }

  async function startWorkers(): Promise<void> {
    while (!pausing.signal.aborted) {
      try {
        await startQueue();
        for (const job of jobs) await startWorker(job);
        return;
      } catch (error) {
        outage.begin(error);
        await sleep(startRetryMs, undefined, { signal: pausing.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async function startWorker(job: AnyJob): Promise<void> {
    const { name, pollSeconds, repeat } = job;
    if (repeat) await boss.send(name, {}, { startAfter: repeat.firstAfterSeconds });
    if (workers.has(name) || pausing.signal.aborted) return;
    const polling = { includeMetadata: true, pollingIntervalSeconds: pollSeconds } as const;
    const worker = await boss.work(name, polling, async ([queued]: JobWithMetadata[]) => {
      if (!queued) return;
      try {
        await run(job, queued);
      } finally {
        if (job.queue.policy === 'stately') await forgetRunning(name);
        wake(name);
      }
    });
    workers.set(name, worker);
  }

  /**
   * The supervision notes in the queue that a `stately` job runs, and no process starts the next one until it looks again: up to 90 seconds after the end. An
   * index prevents that two run at once.
   */
  async function forgetRunning(name: string): Promise<void> {
    await database.pool.query(`update ${jobSchema}.queue set singletons_active = null where name = $1`, [name]).catch(() => undefined);
  }

  async function run(job: AnyJob, queued: JobWithMetadata): Promise<void> {
    const { name, repeat, isEndless } = job;
    // The worker had taken this job from the queue before the pause.
    if (pausing.signal.aborted) throw new Error('The process is stopping');
    const { traceparent, ...data } = queued.data as QueuedData;
    // Schedule the next run first, so that there is one even if this run crashes the process.
    if (repeat) await boss.send(name, {}, { startAfter: repeat.everySeconds });
    const runOnce = () => runAndReport(job, data, queued);
    const failure = await (tracing && !isEndless ? tracing.inJob(name, traceparent, runOnce) : runOnce()).then(() => null, reasonOf);
    if (failure === null || (repeat && !signal.aborted)) return;
    // The queue stores the thrown error. Do not throw the original one: it may contain a request with credentials.
    throw new Error(failure);
  }

  /** Runs a job once. Logs a failure while the span of the run is active, and throws it, so that the span fails with its code. */
  async function runAndReport(job: AnyJob, data: object, { retryCount, retryLimit, signal: claim }: JobWithMetadata): Promise<void> {
    const { name, repeat } = job;
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1000;
    try {
      await job.run(data as never, { ...dependencies, jobs: { add }, signal: AbortSignal.any([signal, claim]) });
      metrics.ran(name, 'ok', seconds());
    } catch (error) {
      metrics.ran(name, 'failed', seconds());
      const fields = { job: name, ...data, reason: reasonOf(error) };
      if (repeat && !signal.aborted) log.warn(fields, 'job failed, will run again at its next scheduled time');
      else if (retryCount < retryLimit) log.warn(fields, 'job failed, will be retried');
      else log.error(fields, 'job failed and was given up');
      throw error;
    }
  }

  const add: JobQueue['add'] = async ({ unscoped, afterCommit }, { name }, data, afterSeconds = 0) => {
    if (!ready) await startQueue();
    const transaction = transactionOf(unscoped, 'adds a job');
    const traceparent = tracing?.traceparent();
    const addedBy: QueuedData = traceparent === undefined ? {} : { traceparent };
    await boss.send(
      name,
      { ...data, ...addedBy },
      { startAfter: afterSeconds, db: { executeSql: (text, values) => transaction.query(text, values) } },
    );
    afterCommit(() => wake(name));
  };

  function wake(name: string): void {
    const worker = workers.get(name);
    if (worker) boss.notifyWorker(worker);
  }

  const starting = startWorkers();
  const stopWorkers = () => Promise.all([...workers.keys()].map((name) => boss.offWork(name, { wait: true })));
  let ended: Promise<unknown> | undefined;
  let drained: Promise<unknown> | undefined;
  /** @returns resolves when the running jobs have ended */
  function pause(): Promise<unknown> {
    pausing.abort();
    if (ended) return ended;
    ended = Promise.all([stopWorkers(), starting.then(stopWorkers)]);
    // `drain` reports the failure.
    ended.catch(() => undefined);
    return ended;
  }
  async function drain(): Promise<void> {
    stopping.abort();
    drained ??= Promise.race([pause(), sleep(stopMs, undefined, { ref: false })]);
    await drained;
  }

  return {
    wake,
    add,
    pause: () => void pause(),
    drain,
    async stop() {
      await using closing = new AsyncDisposableStack();
      closing.defer(() => database.close());
      closing.defer(() => boss.stop({ graceful: false }));
      await drain();
    },
  };
}
