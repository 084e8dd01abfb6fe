import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Registry } from 'prom-client';
import type { DetailedHealthReport } from '../observability/health.ts';
import type { Log } from '../observability/log.ts';
import { trackConnections } from './http/drain.ts';
import { mayRespond } from './http/parse-errors.ts';
import { createHealthPages } from './pages/health-pages.ts';
import { findPage, isRead, type Pages } from './pages/page.ts';

/** What the management port serves. */
export interface Management {
  metrics(): Registry | Promise<Registry>;
  health(): DetailedHealthReport | Promise<DetailedHealthReport>;
  log: Log;
}

/**
 * Creates the server of the management port: Prometheus metrics, and health with the reason for each outage.
 * It uses no framework, so that the primary process of a cluster stays small.
 */
export function createManagementServer({ metrics, health, log }: Management): Server {
  const pages: Pages = {
    ...createHealthPages(health),
    async '/metrics'(_request, response) {
      const registry = await metrics();
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const page = isRead(request) ? findPage(pages, request) : undefined;
    if (page) await page(request, response);
    else response.writeHead(404).end();
  }

  function sendError(response: ServerResponse, error: unknown): void {
    log.error({ err: error }, 'a request on the management port failed');
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  }

  const server = createServer((request, response) => void respond(request, response).catch((error: unknown) => sendError(response, error)));
  trackConnections(server);
  server.on('clientError', (error, socket: Socket) => {
    if (mayRespond(error, socket)) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  return server;
}
