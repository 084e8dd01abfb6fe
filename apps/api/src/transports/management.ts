import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { DetailedHealthReport } from '../observability/health.ts';

/** What the management port serves. */
export interface Management {
  metrics(): Registry | Promise<Registry>;
  health(): DetailedHealthReport | Promise<DetailedHealthReport>;
}

/**
 * Creates the server of the management port: Prometheus metrics, and health with the reason for each outage.
 * It uses no framework, so that the primary process of a cluster stays small.
 */
export function createManagementServer({ metrics, health }: Management): Server {
  const routes: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/health/live': async (response) => sendJson(response, 200, { status: 'ok' }),
    '/health/ready': async (response) => {
      const report = await health();
      sendJson(response, report.status === 'down' ? 503 : 200, report);
    },
    '/metrics': async (response) => {
      const registry = await metrics();
      response.setHeader('content-type', registry.contentType).end(await registry.metrics());
    },
  };
  return createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const route = request.method === 'GET' || request.method === 'HEAD' ? routes[path] : undefined;
    if (!route) return void response.writeHead(404).end();
    route(response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
