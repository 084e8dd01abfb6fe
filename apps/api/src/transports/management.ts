import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Health } from '../observability/health.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createHealthPages } from './pages/health-pages.ts';
import { findPage, isRead, type Pages } from './pages/page.ts';

/** Creates the server of the management port: Prometheus metrics, and health with the reason for each outage. */
export function createManagementServer(metrics: Metrics, health: Health): Server {
  const { registry } = metrics;
  const pages: Pages = {
    ...createHealthPages(() => ({ ...health.report(), reasons: health.reasons() })),
    async '/metrics'(_request, response) {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const page = isRead(request) ? findPage(pages, request) : undefined;
    if (page) await page(request, response);
    else response.writeHead(404).end();
  }

  return createServer((request, response) => void respond(request, response).catch(() => response.writeHead(500).end()));
}
