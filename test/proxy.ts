import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

export interface Proxy {
  /** The proxied URL with the host and port of this proxy. */
  url: string;
  /** Closes all connections and accepts none. */
  cut(): void;
  /** Keeps connections open, accepts new ones, and drops their data, so that requests get no response. */
  freeze(): void;
  /** While true, connections stay open and their data waits. */
  hold(isHeld: boolean): void;
  /** Forwards again. */
  forward(): void;
  /** New connections lead to the server of this URL. `cut` closes the others. */
  redirect(address: string): void;
  stop(): Promise<void>;
}

interface ProxyOptions {
  /** Called for each connection. Returns what reads the data of the client. */
  watch?: () => (data: Buffer) => void;
  /** Changes the data of the server. */
  change?: (data: Buffer) => Buffer;
}

/** Starts a TCP proxy, with which a test makes a server unreachable or sees its traffic. @param address URL of the server, such as a connection string */
export async function startProxy(address: string, { watch, change = (data) => data }: ProxyOptions = {}): Promise<Proxy> {
  let target = new URL(address);
  const sockets = new Set<Socket>();
  let state: 'working' | 'cut' | 'frozen' | 'held' = 'working';

  const pass = (from: Socket, to: Socket, use: (data: Buffer) => Buffer) => {
    sockets.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    from.on('data', (data: Buffer) => {
      if (state !== 'frozen') to.write(use(data));
    });
    if (state === 'held') from.pause();
  };
  const server = createServer((client) => {
    if (state === 'cut') return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    const read = watch?.();
    pass(client, upstream, (data) => {
      read?.(data);
      return data;
    });
    pass(upstream, client, change);
  });
  const cut = () => {
    state = 'cut';
    for (const socket of sockets) socket.destroy();
  };
  const url = new URL(address);
  url.port = String(await listen(server));
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    cut,
    freeze: () => (state = 'frozen'),
    hold(isHeld) {
      state = isHeld ? 'held' : 'working';
      for (const socket of sockets) socket[isHeld ? 'pause' : 'resume']();
    },
    forward: () => {
      if (state === 'frozen') cut();
      state = 'working';
    },
    redirect: (other) => {
      target = new URL(other);
      state = 'working';
    },
    async stop() {
      cut();
      await once(server.close(), 'close');
    },
  };
}
