import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Whether the service may respond to a request that Node could not parse: invalid HTTP, headers that are too large, or a request that arrived too slowly.
 * Not if the client could take the response for the response to another request, or for a part of it. Then the connection is only closed.
 */
export function mayRespond(error: NodeJS.ErrnoException, socket: Socket): boolean {
  // Browsers open connections before they need them.
  const isUnused = socket.bytesRead === 0;
  if (isUnused || error.code === 'ECONNRESET' || !socket.writable) return false;
  const response = responseOn(socket);
  return response ? !(response.headersSent || response.req.complete) : requestOn(socket)?.complete !== false;
}

/** The response that the server prepares or sends on this connection. Node has no public access to it. */
export const responseOn = (socket: Socket) => Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined;

/** The last request whose head has arrived on this connection. Node has no public access to it either. */
const requestOn = (socket: Socket) => (Reflect.get(socket, 'parser') as { incoming: IncomingMessage | null } | null)?.incoming;
