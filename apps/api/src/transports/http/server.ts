import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ProblemError } from '@profile-service/contracts';
import { problemDocument } from '../../request/problem.ts';
import { trackConnections } from './drain.ts';
import { handleExpectations } from './expectations.ts';
import { limitChunks } from './limit-chunks.ts';
import { mayRespond } from './parse-errors.ts';
import { withPathAsTarget } from './request-target.ts';
import { securityHeaders } from './security-headers.ts';

/** Size limit of the request line and all headers together, in bytes (D-15). */
export const maxHeaderSize = 16_384;
/** Maximum number of headers. */
const maxHeaders = 1_000;

/** Sockets of running uploads. Node has one time limit for all requests, but an upload has its own. */
const exemptSockets = new WeakSet<Duplex>();

/** Exempts the current request of the connection from Node's time limit. @returns a function that ends the exemption */
export function exemptFromTimeLimit(socket: Duplex): () => void {
  exemptSockets.add(socket);
  return () => exemptSockets.delete(socket);
}

/** Time limits for clients, in milliseconds. */
export interface ClientLimits {
  /** For the headers of a request. */
  headersTimeout: number;
  /** For a whole request, except an upload. */
  requestTimeout: number;
  /** Between two requests on a connection. */
  keepAliveTimeout: number;
  /**
   * Without a byte in either direction during a request. Every other time limit is shorter, so only a client that does not read reaches this one. It does not
   * apply after the body of an upload: copying a large file can take longer.
   */
  stallTimeout: number;
  /**
   * How often the server checks `headersTimeout` and `requestTimeout`. It closes all connections that one check finds in the same turn of the event loop, which
   * takes about 0.1 ms each. So the checks are frequent: with one every 10 seconds, closing 2,000 connections delayed all requests by 0.7 seconds.
   */
  connectionsCheckingInterval: number;
}

/** The settings of the time limits for clients. */
export interface ClientLimitSettings {
  HTTP_HEADERS_TIMEOUT_SECONDS: number;
  HTTP_REQUEST_TIMEOUT_SECONDS: number;
  HTTP_KEEP_ALIVE_TIMEOUT_SECONDS: number;
}

/** Returns the time limits of the settings. */
export function clientLimits(settings: ClientLimitSettings): ClientLimits {
  const headersTimeout = settings.HTTP_HEADERS_TIMEOUT_SECONDS * 1000;
  return {
    headersTimeout,
    requestTimeout: settings.HTTP_REQUEST_TIMEOUT_SECONDS * 1000,
    keepAliveTimeout: settings.HTTP_KEEP_ALIVE_TIMEOUT_SECONDS * 1000,
    stallTimeout: 120_000,
    connectionsCheckingInterval: 100,
  };
}

/**
 * Creates the server, with a time limit on every wait for a client.
 * @param docsBase URL of the service, for the `type` of problem documents
 */
export function createHttpServer(app: RequestListener, docsBase: string, limits: ClientLimits): Server {
  const { stallTimeout, ...timeouts } = limits;
  // A middleware rejects a request without Host: Node would do so without a problem document. Duplicate headers are joined, which makes them invalid: Node
  // would otherwise use the first one (D-13).
  const options = { ...timeouts, maxHeaderSize, requireHostHeader: false, joinDuplicateHeaders: true };
  const server = createServer(options, withPathAsTarget(app));
  trackConnections(server);
  server.timeout = stallTimeout;
  server.maxHeadersCount = maxHeaders;
  handleExpectations(server);
  server.on('request', (request) => limitChunks(request, (error) => server.emit('clientError', error, request.socket)));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && exemptSockets.has(socket)) return;
    if (mayRespond(error, socket)) sendBadRequest(socket, docsBase);
    else socket.destroy();
  });
  return server;
}

/** Sends a problem document for a request that Node could not parse, or that has too many chunks. */
function sendBadRequest(socket: Duplex, docsBase: string): void {
  const requestId = randomUUID();
  const detail = `The request is not valid HTTP, it has more than ${maxHeaders} headers or ${maxHeaderSize} bytes of them, its body has too many small chunks, or it arrived too slowly.`;
  const body = JSON.stringify(problemDocument(new ProblemError('VALIDATION_FAILED', { detail }), requestId, docsBase));
  const head = [
    ...Object.entries(securityHeaders),
    ['content-type', 'application/problem+json'],
    ['content-length', Buffer.byteLength(body)],
    ['x-request-id', requestId],
    ['connection', 'close'],
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head.join('')}\r\n${body}`);
}

/**
 * How many connections may wait to be accepted; the kernel may allow less (`net.core.somaxconn` on Linux). With Node's default of 511, the kernel ignores
 * connection attempts to an overloaded process, and clients repeat them after 1, 3, 7 and 15 seconds.
 */
const backlog = 4_096;

/**
 * Starts listening. Rejects when the port is in use.
 * @returns the port, which the system chooses for port 0
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
