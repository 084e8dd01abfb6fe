import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../../test/listen.ts';

export interface UnreliableProxy {
  url: string;
  /** While true, connections stay open but carry no data. */
  hold(held: boolean): void;
  /** New connections lead to the server of this connection string. */
  redirect(connectionString: string): void;
  stop(): Promise<void>;
}

/** Starts a proxy in front of the server of the connection string. */
export async function startProxy(connectionString: string): Promise<UnreliableProxy> {
  let target = new URL(connectionString);
  const ends = new Set<Socket>();
  let held = false;
  const join = (from: Socket, to: Socket) => {
    ends.add(from);
    from.on('data', (data) => void to.write(data));
    from.on('error', () => undefined);
    from.on('close', () => {
      ends.delete(from);
      to.destroy();
    });
    if (held) from.pause();
  };
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    join(socket, upstream);
    join(upstream, socket);
  });
  const port = await listen(server);
  const url = new URL(connectionString);
  url.port = String(port);
  return {
    url: url.href,
    hold: (value) => {
      held = value;
      for (const end of ends) end[value ? 'pause' : 'resume']();
    },
    redirect: (other) => (target = new URL(other)),
    stop: async () => {
      for (const end of ends) end.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
