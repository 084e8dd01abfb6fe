import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../../../test/listen.ts';

export interface Proxy {
  /** The proxied URL with the host and port of this proxy. */
  url: string;
  /** Closes all connections and accepts none. */
  cut(): void;
  /** Keeps connections open, accepts new ones, and drops their data, so that requests get no response. */
  freeze(): void;
  /** Forwards again. */
  forward(): void;
  /** Closes all connections. New ones lead to the server of this URL. */
  redirect(address: string): void;
  stop(): Promise<void>;
}

/** Starts a TCP proxy, with which a test makes a server unreachable. @param address URL of the server, such as a connection string */
export async function startProxy(address: string): Promise<Proxy> {
  let target = new URL(address);
  const sockets = new Set<Socket>();
  let state: 'working' | 'cut' | 'frozen' = 'working';

  const server = createServer((client) => {
    if (state === 'cut') return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.on('data', (data) => {
        if (state !== 'frozen') other.write(data);
      });
    }
  });
  const cut = () => {
    state = 'cut';
    for (const socket of sockets) socket.destroy();
  };
  const port = await listen(server);
  const url = new URL(address);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    cut,
    freeze: () => (state = 'frozen'),
    forward: () => {
      if (state === 'frozen') cut();
      state = 'working';
    },
    redirect: (other) => {
      cut();
      target = new URL(other);
      state = 'working';
    },
    async stop() {
      cut();
      await once(server.close(), 'close');
    },
  };
}
