import { once } from 'node:events';
import { connect } from 'node:net';
import type { Actor } from '../support/call.ts';

/** The head of a request of this actor, with more header lines. @param target such as `GET /api/apps` */
export const headOf = (target: string, { token }: Actor = {}, ...headers: string[]): string => {
  const authorization = token === undefined ? [] : [`Authorization: Bearer ${token}`];
  return [`${target} HTTP/1.1`, 'Host: localhost', ...authorization, ...headers, '', ''].join('\r\n');
};

/** A raw connection to the service. */
export async function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (data) => (received += data.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    socket,
    closed,
    /** Waits until the text has arrived or the connection is closed. Returns everything that arrived. */
    async until(text: string): Promise<string> {
      while (!received.includes(text) && !socket.destroyed) await Promise.race([once(socket, 'data'), closed]);
      return received;
    },
  };
}
