import { defineJob } from './job.ts';

/** How often a process looks whether it is the next one, in seconds. With the 5 seconds of the queues in memory, another process continues within 15. */
const everySeconds = 10;
/** A process that sends no heartbeat for this time is replaced. */
const heartbeatSeconds = 20;
/** How long a run may take, in seconds: 23 hours. */
const maxRunSeconds = 23 * 60 * 60;

/** Runs imports, in one process of the deployment. A run lasts 23 hours. `stately`: one runs, and one waits to be the next. */
export const imports = defineJob({
  name: 'imports',
  queue: { policy: 'stately', retryLimit: 1_000, retryDelay: 1, heartbeatSeconds, expireInSeconds: maxRunSeconds + 600 },
  pollSeconds: everySeconds,
  repeat: { firstAfterSeconds: 0, everySeconds },
  isEndless: true,
  run: (_data, { runImports, jobs, signal }) => runImports(jobs, AbortSignal.any([signal, AbortSignal.timeout(maxRunSeconds * 1000)])),
});
