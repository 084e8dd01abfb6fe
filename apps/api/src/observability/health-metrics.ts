import { Gauge, type Registry } from 'prom-client';
import { type Health, parts } from './health.ts';

/** Adds the results of the last health checks to the registry. */
export function createHealthMetrics(registry: Registry, health: Pick<Health, 'detailedReport'>): void {
  const registers = [registry];
  new Gauge({
    name: 'profile_ready',
    help: '1 if the instance can serve requests, as /health/ready says, otherwise 0',
    registers,
    collect() {
      this.set(health.detailedReport().status === 'down' ? 0 : 1);
    },
  });
  new Gauge({
    name: 'profile_health_check_up',
    help: '1 if the last health check of this part succeeded, otherwise 0',
    labelNames: ['check'],
    registers,
    collect() {
      const { reasons } = health.detailedReport();
      for (const check of parts) this.set({ check }, check in reasons ? 0 : 1);
    },
  });
}
