import { createLog } from '../observability/log.ts';
import type { Settings } from '../settings.ts';
import { shutdownTimes } from '../service/shutdown-times.ts';
import { StopSteps } from '../service/stop-steps.ts';
import { drain } from '../transports/http/drain.ts';
import { listen } from '../transports/http/server.ts';
import { createManagementServer } from '../transports/management.ts';
import { combineHealth } from './health.ts';
import { ClusterMetrics } from './metrics.ts';
import { Workers } from './workers.ts';

/**
 * Starts WEB_CONCURRENCY processes that serve requests on one port. This process distributes the connections and serves the management port.
 * If the start fails, it stops what it has started and throws the error.
 */
export async function startPrimary(settings: Settings): Promise<{ stop(): Promise<void> }> {
  const { WEB_CONCURRENCY: count, MANAGEMENT_PORT: wanted, HOST: host } = settings;
  const log = createLog(settings.LOG_LEVEL);
  if (!settings.REDIS_URL) log.warn({ processes: count }, 'each process counts rate limits for itself, because REDIS_URL is not set');
  const { drainMs, killMs } = shutdownTimes(settings);
  const metrics = new ClusterMetrics();
  const stopMs = settings.SHUTDOWN_DELAY_SECONDS * 1000 + killMs;
  const workers = new Workers({ log, stopMs, onEnd: (id) => metrics.end(id) });
  const management = createManagementServer({
    metrics: async () => metrics.sum(await workers.ask('metrics')),
    health: async () => combineHealth([...(await workers.ask('health')).values()]),
    log,
  });
  const stopSteps = new StopSteps(log);
  // At once, because the process has little time left, and Prometheus repeats a lost scrape.
  stopSteps.add('management port', () => drain(management, { drainMs, idleMs: 0 }));
  stopSteps.add('workers', () => workers.stop());
  const stop = () => stopSteps.run(stopMs + drainMs);
  try {
    const managementPort = wanted === undefined ? undefined : await listen(management, wanted, host);
    const port = await workers.start(count);
    log.info({ port, managementPort, processes: count }, 'listening');
  } catch (error) {
    // The steps log their own failures.
    await stop().catch(() => undefined);
    throw error;
  }
  return { stop: () => stop().finally(() => log.info('stopped')) };
}
