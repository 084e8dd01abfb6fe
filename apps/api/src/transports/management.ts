import { createServer, type Server } from 'node:http';
import express from 'express';
import { serveHealth } from './pages/pages.ts';
import type { Health } from '../observability/health.ts';
import type { Metrics } from '../observability/metrics.ts';

/** The port for operators: Prometheus metrics, and health with the reason of each fault. */
export function createManagementServer(metrics: Metrics, health: Health): Server {
  const app = express().disable('x-powered-by');
  serveHealth(app, () => ({ ...health.report(), reasons: health.reasons() }));
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return createServer(app);
}
