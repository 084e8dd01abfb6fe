import { createServer, type Server } from 'node:http';
import express from 'express';
import type { Registry } from 'prom-client';
import { serveHealth } from './pages/pages.ts';
import type { DetailedHealthReport } from '../observability/health.ts';

/** What the management port serves. */
export interface Management {
  metrics(): Registry | Promise<Registry>;
  health(): DetailedHealthReport | Promise<DetailedHealthReport>;
}

/** Creates the server of the management port: Prometheus metrics, and health with the reason for each outage. */
export function createManagementServer({ metrics, health }: Management): Server {
  const app = express().disable('x-powered-by');
  serveHealth(app, health);
  app.get('/metrics', async (_request, response) => {
    const registry = await metrics();
    response.type(registry.contentType).send(await registry.metrics());
  });
  return createServer(app);
}
