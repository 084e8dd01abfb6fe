import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { listen } from '../../../test/listen.ts';

/** A server with the part of the Redis protocol (RESP2) that a new connection needs. It reports any version. */
export interface FakeRedis {
  url: string;
  /** The version that the server reports to the next connection. */
  version: string;
  /** Commands received on all connections, in upper case. */
  readonly commands: string[];
  /** Closes all connections. The server accepts new ones. */
  disconnect(): void;
  stop(): Promise<void>;
}

const replies: Record<string, string> = {
  // The server has no RESP3: clients use RESP2.
  HELLO: '-NOPROTO unsupported protocol version\r\n',
  PING: '+PONG\r\n',
};

/** Starts the server on a free port. Redis before version 7 rejects `SET key value NX GET`, and so does this one. */
export async function startFakeRedis(version: string): Promise<FakeRedis> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = '';
    socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      .on('data', (data) => {
        received += data.toString();
        for (let command = nextCommand(received); command; command = nextCommand(received)) {
          received = received.slice(command.length);
          self.commands.push(command.words[0] ?? '');
          socket.write(reply(command.words));
        }
      });
  });

  function reply([name = '', ...words]: string[]): string {
    if (name === 'INFO') {
      const info = `# Server\r\nredis_version:${self.version}\r\n`;
      return `$${info.length}\r\n${info}\r\n`;
    }
    if (name === 'SET' && words.includes('NX') && words.includes('GET')) return '-ERR syntax error\r\n';
    return replies[name] ?? '+OK\r\n';
  }

  const port = await listen(server);
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  const self: FakeRedis = {
    url: `redis://127.0.0.1:${port}`,
    version,
    commands: [],
    disconnect,
    async stop() {
      disconnect();
      await once(server.close(), 'close');
    },
  };
  return self;
}

/** The first command in the text, an array of bulk strings, with its length there; undefined while it is incomplete. */
function nextCommand(text: string): { words: string[]; length: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (!head) return undefined;
  let length = head[0].length;
  const words: string[] = [];
  while (words.length < Number(head[1])) {
    const bulk = /^\$(\d+)\r\n/.exec(text.slice(length));
    if (!bulk) return undefined;
    const start = length + bulk[0].length;
    length = start + Number(bulk[1]) + 2;
    if (text.length < length) return undefined;
    words.push(words.length === 0 ? text.slice(start, length - 2).toUpperCase() : text.slice(start, length - 2));
  }
  return { words, length };
}
