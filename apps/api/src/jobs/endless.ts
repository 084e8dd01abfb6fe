/** How often a process looks whether it is the next one, in seconds. With the 5 seconds of the queues in memory, another process continues within 15. */
export const everySeconds = 10;
/** A process that sends no heartbeat for this time is replaced. */
const heartbeatSeconds = 20;
/** How long a run may take, in seconds: 23 hours. */
const maxRunSeconds = 23 * 60 * 60;

/** The options of a job that always runs, in one process of the deployment. A run lasts 23 hours. `stately`: one runs, and one waits to be the next. */
export const endless = {
  queue: { policy: 'stately', retryLimit: 1_000, retryDelay: 1, heartbeatSeconds, expireInSeconds: maxRunSeconds + 600 },
  pollSeconds: everySeconds,
  isEndless: true,
} as const;

/** The signal of the job, which is also aborted at the end of a run. */
export const untilRunEnds = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(maxRunSeconds * 1000)]);
