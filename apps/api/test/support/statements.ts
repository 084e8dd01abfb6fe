import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface StatementWatch {
  /** The proxied connection string. */
  url: string;
  /** Returns the texts of all statements since the last call of `take` or `takeUnnamed`, in order, including `begin` and `commit`. */
  take(): string[];
  /** Returns the texts that were sent without a name since the last call of `take` or `takeUnnamed`. */
  takeUnnamed(): string[];
  stop(): Promise<void>;
}

/** A statement that was sent to run. The name is empty if it was not prepared under a name. */
interface Executed {
  name: string;
  text: string;
}

/** Starts a TCP proxy that records the statements sent to PostgreSQL (protocol 3.0, without TLS). */
export async function watchStatements(connectionString: string): Promise<StatementWatch> {
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  const executed: Executed[] = [];

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const read = createReader((statement) => executed.push(statement));
    client.on('data', read);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(connectionString);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    take: () => executed.splice(0).map(({ text }) => text),
    takeUnnamed: () =>
      executed
        .splice(0)
        .filter(({ name }) => name === '')
        .map(({ text }) => text),
    async stop() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** Reads the messages of one client. Parse names a text, Bind selects the text that runs, Query contains a text that runs. */
function createReader(onExecuted: (statement: Executed) => void): (data: Buffer) => void {
  const prepared = new Map<string, string>();
  let pending: Buffer = Buffer.alloc(0);
  let hasStarted = false;
  return (data) => {
    pending = Buffer.concat([pending, data]);
    for (;;) {
      // The first message has no type.
      const at = hasStarted ? 1 : 0;
      if (pending.length < at + 4) return;
      const length = at + pending.readInt32BE(at);
      if (pending.length < length) return;
      const type = hasStarted ? String.fromCharCode(pending[0] ?? 0) : '';
      const [first = '', second = ''] = pending.toString('utf8', at + 4, length).split('\0', 2);
      if (type === 'P') prepared.set(first, second);
      if (type === 'B') onExecuted({ name: second, text: prepared.get(second) ?? second });
      if (type === 'Q') onExecuted({ name: '', text: first });
      hasStarted = true;
      pending = pending.subarray(length);
    }
  };
}
