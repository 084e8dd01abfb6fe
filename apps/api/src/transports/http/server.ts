import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ProblemError } from '@profile-service/contracts';
import { problemDocument } from '../../operation/problem.ts';
import { securityHeaders } from './security-headers.ts';

/** Bytes of the request line and all headers together. */
export const maxHeaderSize = 16_384;

/** How long running requests may take after the service was told to stop, in milliseconds. The whole stop takes at most 10 s. */
const drainMs = 7_000;

/** How often a draining server closes idle connections, in milliseconds. */
const idleCheckMs = 50;

/** Connections with an upload. Node has one time limit for all requests, but an upload has its own. */
const exempt = new WeakSet<Duplex>();

/** Exempts the current request of the connection from the time limit. @returns ends the exemption */
export function exemptFromTimeLimit(socket: Duplex): () => void {
  exempt.add(socket);
  return () => exempt.delete(socket);
}

/** Time limits for clients, in milliseconds. */
export interface ClientLimits {
  /** For the head of a request. */
  headersTimeout: number;
  /** For a whole request, except an upload. */
  requestTimeout: number;
  /** Between two requests on a connection. */
  keepAliveTimeout: number;
  /** Without a byte in either direction during a request. Longer than the limits of every part, so only a client that does not read reaches it. */
  stallTimeout: number;
  /** How often the first two are checked. */
  connectionsCheckingInterval: number;
}

const clientLimits: ClientLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  stallTimeout: 120_000,
  connectionsCheckingInterval: 10_000,
};

/** Creates a server with a time limit on every wait for a client. @param docsBase as of `problemDocument` @param limits that differ from the defaults */
export function createHttpServer(listener: RequestListener, docsBase: string, limits: Partial<ClientLimits> = {}): Server {
  const { stallTimeout, ...timeouts } = { ...clientLimits, ...limits };
  // The listener rejects a request without Host, because Node would do so without a problem document. Node would use the first of two headers that must
  // occur once; joined, the two are invalid.
  const server = createServer({ ...timeouts, maxHeaderSize, requireHostHeader: false, joinDuplicateHeaders: true }, listener);
  server.timeout = stallTimeout;
  // Unknown expectations are ignored, as RFC 9110 allows.
  server.on('checkExpectation', listener);
  server.on('clientError', (error, socket) => refuse(error, socket, docsBase));
  return server;
}

/** Answers a request that Node could not parse with a problem document. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, docsBase: string): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && exempt.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const requestId = randomUUID();
  const detail = `The request is not valid HTTP, its head is larger than ${maxHeaderSize} bytes, or it arrived too slowly.`;
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
 * Starts listening. Rejects when the port is in use.
 * @returns the port, which the system chooses for port 0
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Stops accepting connections and waits for running requests. A connection is closed after its current response. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  // Node keeps connections open that were busy when the server closed.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const limit = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
}
