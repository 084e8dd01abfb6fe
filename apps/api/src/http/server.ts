import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errors } from '@profile-service/contracts';

/** What runs when the service is told to stop has this long to end, so that all of the stop stays within 10 s. */
const drainMs = 7_000;

/** Connections on which an upload comes in: Node has one limit for all requests, and an upload has its own. */
const exempt = new WeakSet<Duplex>();

/** Lets the request that is coming in on this connection take its time. @returns ends that */
export function exemptFromTimeLimit(socket: Duplex): () => void {
  exempt.add(socket);
  return () => exempt.delete(socket);
}

/** A server with a limit on every wait for a client. */
export function createHttpServer(listener: RequestListener): Server {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 65_000, maxHeaderSize: 16_384 },
    listener,
  );
  server.on('clientError', refuse);
  return server;
}

/** What Node could not read as HTTP gets a problem document too. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && exempt.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const code = 'VALIDATION_FAILED';
  const { status, title } = errors[code];
  const body = JSON.stringify({
    type: `/errors#${code}`,
    title,
    status,
    code,
    detail: 'The request is not HTTP, too large in its head, or too slow',
  });
  const head = [`HTTP/1.1 ${status} Bad Request`, 'content-type: application/problem+json', `content-length: ${Buffer.byteLength(body)}`];
  socket.end(`${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`);
}

/** Resolves once the server listens; rejects where the port is taken. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Stops accepting and lets what runs end. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(timer);
}
