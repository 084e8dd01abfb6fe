import { createServer, type Server } from 'node:http';
import express from 'express';
import { serveHealth } from './pages/pages.ts';
import type { Health } from '../observability/health.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { ReadReplica } from '../operation/read-replica.ts';

/** Creates the server of the management port: Prometheus metrics, and health with the reason for each outage. */
export function createManagementServer(metrics: Metrics, health: Health, replica: ReadReplica | undefined): Server {
  const app = express().disable('x-powered-by');
  serveHealth(app, () => ({ ...health.report(), reasons: { ...health.reasons(), ...replica?.reasons() } }));
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return createServer(app);
}
