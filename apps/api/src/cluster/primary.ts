import { createLog } from '../observability/log.ts';
import type { Settings } from '../settings.ts';
import { shutdownTimes } from '../shutdown-times.ts';
import { drain } from '../transports/http/drain.ts';
import { listen } from '../transports/http/server.ts';
import { createManagementServer } from '../transports/management.ts';
import { combineHealth } from './health.ts';
import { ClusterMetrics } from './metrics.ts';
import { Workers } from './workers.ts';

/**
 * Starts WEB_CONCURRENCY processes that serve requests on one port. This process distributes the connections and serves the management port.
 * If the start fails, the caller must end the process, which ends the workers.
 */
export async function startPrimary(settings: Settings): Promise<{ stop(): Promise<void> }> {
  const { WEB_CONCURRENCY: count, MANAGEMENT_PORT: wanted, HOST: host } = settings;
  const log = createLog(settings.LOG_LEVEL);
  if (!settings.REDIS_URL) log.warn({ processes: count }, 'each process counts rate limits for itself, because REDIS_URL is not set');
  const { drainMs, killMs } = shutdownTimes(settings);
  const metrics = new ClusterMetrics();
  const workers = new Workers({ log, stopMs: settings.SHUTDOWN_DELAY_SECONDS * 1000 + killMs, onEnd: (id) => metrics.end(id) });
  const management = createManagementServer({
    metrics: async () => metrics.sum(await workers.ask('metrics')),
    health: async () => combineHealth([...(await workers.ask('health')).values()]),
  });
  const managementPort = wanted === undefined ? undefined : await listen(management, wanted, host);
  const port = await workers.start(count);
  log.info({ port, managementPort, processes: count }, 'listening');
  return {
    async stop() {
      await workers.stop();
      // At once, because the process has little time left, and Prometheus repeats a lost scrape.
      await drain(management, { drainMs, idleMs: 0 });
      log.info('stopped');
    },
  };
}
