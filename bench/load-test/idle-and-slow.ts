import { connect, type Socket } from 'node:net';

/** Connections that occupy the service without load. */
export interface ExtraConnections {
  /** Connections that are open now. */
  open(): number;
  stop(): void;
}

/** Opens connections, and replaces those that the service closes. @param send called once a second for each open connection, with the seconds since it opened */
function keepOpen(port: number, count: number, send: (socket: Socket, second: number) => void): ExtraConnections {
  const sockets = new Map<Socket, number>();
  const openOne = () => {
    const socket = connect(port, '127.0.0.1');
    sockets.set(socket, 0);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
  };
  const timer = setInterval(() => {
    for (const [socket, second] of sockets) {
      if (!socket.connecting) send(socket, second);
      sockets.set(socket, second + 1);
    }
    while (sockets.size < count) openOne();
  }, 1_000);
  while (sockets.size < count) openOne();
  return {
    open: () => [...sockets.keys()].filter((socket) => !socket.connecting).length,
    stop() {
      clearInterval(timer);
      for (const socket of sockets.keys()) socket.destroy();
    },
  };
}

/** Connections that send nothing. */
export const openIdle = (port: number, count: number): ExtraConnections => keepOpen(port, count, () => undefined);

/** Connections that send the head of a request, one byte each second. */
export const openSlow = (port: number, count: number): ExtraConnections =>
  keepOpen(port, count, (socket, second) => socket.write('GET /api/organizations HTTP/1.1\r\nhost: localhost\r\n'[second] ?? 'x'));
