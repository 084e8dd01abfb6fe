import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { WebhookError } from '../webhook-error.ts';

/** Where to connect to, and which address to accept. */
interface Peer {
  port: number;
  /** Tried one after the other. */
  addresses: string[];
  /** Decides about the address of the connected socket. */
  isAllowed: (address: string) => boolean;
  timeoutMs: number;
}

/**
 * Opens a TCP connection.
 * @throws WebhookError if the connected socket has an address that is not allowed: not a byte is sent to it
 * @throws Error of the system if no address accepts the connection within the time limit
 */
export async function openSocket({ port, addresses, isAllowed, timeoutMs }: Peer): Promise<Socket> {
  const socket = connect({
    host: 'webhook',
    port,
    lookup: (_host, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      ),
    autoSelectFamily: true,
    noDelay: true,
    keepAlive: true,
  });
  socket.setTimeout(timeoutMs, () => socket.destroy(Object.assign(new Error('The connection timed out'), { code: 'ETIMEDOUT' })));
  await once(socket, 'connect');
  socket.setTimeout(0);
  // TLS and HTTP handle later errors.
  if (socket.remoteAddress !== undefined && isAllowed(socket.remoteAddress)) return socket;
  socket.destroy();
  throw new WebhookError('The address is not public');
}
