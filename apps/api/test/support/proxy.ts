import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  /** The proxied address with this proxy's host and port in it. */
  url: string;
  /** Breaks every connection and takes no new one. */
  cut(): void;
  /** Lets connections through but nothing on them: what is asked gets no answer. */
  freeze(): void;
  /** Works again. */
  mend(): void;
  stop(): Promise<void>;
}

/** A TCP proxy before another server, so that a test can take that away. @param address e.g. a connection string */
export async function startProxy(address: string): Promise<Proxy> {
  const target = new URL(address);
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
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(address);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut,
    freeze: () => (state = 'frozen'),
    mend: () => {
      if (state === 'frozen') cut();
      state = 'working';
    },
    async stop() {
      cut();
      await once(server.close(), 'close');
    },
  };
}
