import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import type { Registry } from 'prom-client';
import type { DetailedHealthReport } from '../observability/health.ts';
import type { Log } from '../observability/log.ts';
import { trackConnections } from './http/drain.ts';
import { handleExpectations } from './http/expectations.ts';
import { mayRespond } from './http/parse-errors.ts';
import { withPathAsTarget } from './http/request-target.ts';
import { createReady, live } from './pages/health.ts';

/** What the management port serves. */
export interface Management {
  registry: Pick<Registry, 'contentType' | 'metrics'>;
  health(): DetailedHealthReport;
  log: Log;
}

/** Creates the server of the management port: Prometheus metrics, and health with the reason for each outage. */
export function createManagementServer({ registry, health, log }: Management): Server {
  const sendError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    log.error({ err: error }, 'a request on the management port failed');
    if (response.headersSent) response.destroy();
    else response.status(500).end();
  };
  const app = express()
    .disable('x-powered-by')
    .disable('etag')
    .get('/health/live', live)
    .get('/health/ready', createReady(health))
    .get('/metrics', async (_request, response) => {
      response.type(registry.contentType).send(await registry.metrics());
    })
    .use((_request, response) => void response.status(404).end())
    .use(sendError);

  const server = createServer(withPathAsTarget(app));
  trackConnections(server);
  handleExpectations(server);
  server.on('clientError', (error, socket: Socket) => {
    if (mayRespond(error, socket)) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  return server;
}
