import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ProblemError } from '@profile-service/contracts';
import { problemDocument } from '../../operation/problem.ts';
import { securityHeaders } from './security-headers.ts';

/** Bytes of the request line and all headers together. */
export const maxHeaderSize = 16_384;

/** What runs when the service is told to stop has this long to end, so that all of the stop stays within 10 s. */
const drainMs = 7_000;

/** How often connections that became idle are looked for, while the server drains. */
const idleCheckMs = 50;

/** Connections on which an upload comes in: Node has one limit for all requests, and an upload has its own. */
const exempt = new WeakSet<Duplex>();

/** Lets the request that is coming in on this connection take its time. @returns ends that */
export function exemptFromTimeLimit(socket: Duplex): () => void {
  exempt.add(socket);
  return () => exempt.delete(socket);
}

/** How long a client may take, in milliseconds. */
export interface ClientLimits {
  /** For the head of a request; of a new connection, for its first. */
  headersTimeout: number;
  /** For a whole request; an upload has its own limits. */
  requestTimeout: number;
  /** Between two requests on a connection. */
  keepAliveTimeout: number;
  /** Without a byte in either direction while a request is under way: longer than any part may take, so it is the client who does not read. */
  stallTimeout: number;
  /** How often the first two are looked after. */
  connectionsCheckingInterval: number;
}

const clientLimits: ClientLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  stallTimeout: 120_000,
  connectionsCheckingInterval: 10_000,
};

/** A server with a limit on every wait for a client. @param docsBase as of `problemDocument` @param limits others than the usual ones */
export function createHttpServer(listener: RequestListener, docsBase: string, limits: Partial<ClientLimits> = {}): Server {
  const { stallTimeout, ...timeouts } = { ...clientLimits, ...limits };
  // Node would refuse a request without Host on its own, without a problem document: the listener does it instead. Of a header that must stand once
  // it would take the first; joined, two of them are no value that anything accepts.
  const server = createServer({ ...timeouts, maxHeaderSize, requireHostHeader: false, joinDuplicateHeaders: true }, listener);
  server.timeout = stallTimeout;
  // What a client expects that HTTP does not know is let pass, as RFC 9110 allows.
  server.on('checkExpectation', listener);
  server.on('clientError', (error, socket) => refuse(error, socket, docsBase));
  return server;
}

/** What Node could not read as HTTP gets a problem document too. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, docsBase: string): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && exempt.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const requestId = randomUUID();
  const detail = 'The request is not HTTP, too large in its head, or too slow';
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

/** Stops accepting and lets what runs end; a connection ends with the answer that is under way on it. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  // Node keeps a connection open that was busy when the server closed.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const limit = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
}
