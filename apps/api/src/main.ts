import cluster from 'node:cluster';
import { SettingsError } from '@profile-service/operations/settings';
import { delayFullCollections } from './service/delay-full-collections.ts';
import { readSettings, type Settings } from './settings.ts';

/** Starts this process in its role. Loads only the code of the role, so that the primary process of a cluster stays small. */
async function start(settings: Settings): Promise<{ stop(): Promise<void> }> {
  if (cluster.isWorker) return (await import('./cluster/worker.ts')).startWorker(settings);
  if (settings.WEB_CONCURRENCY > 1) return (await import('./cluster/primary.ts')).startPrimary(settings);
  return (await import('./service/service.ts')).startService(settings);
}

/** Stops the service and ends the process: with code 1 if a step of the stop has failed. The step has logged the error. */
const stop = (running: { stop(): Promise<void> }): Promise<void> =>
  running.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );

/** Whether a worker process has printed the error already. */
const isReported = (error: unknown): boolean => error instanceof Error && 'isReported' in error && error.isReported === true;

/** The production entry. It embeds no database or identity provider. If settings are missing or invalid, it prints the errors and exits with code 1. */
try {
  delayFullCollections();
  const running = await start(readSettings(process.env, { requireAudience: true }));
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void (stopping ??= stop(running)));
  }
} catch (error) {
  if (!isReported(error)) console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
