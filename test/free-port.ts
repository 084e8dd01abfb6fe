import { createServer } from 'node:net';

/**
 * Connections, and servers on port 0, get their ports from a range of the system: from 32768 on Linux, from 49152 on macOS and Windows. A port below both
 * stays free while the program that listens on it restarts.
 */
const range = { first: 10_000, size: 22_000 };

/** Returns a random port on which no program listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = range.first + Math.floor(Math.random() * range.size);
    if (await isFree(port)) return port;
  }
}

/** Returns a port for `npm start`, whose identity provider needs the next one. No program listens on either. */
export async function freePortPair(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await isFree(port + 1)) return port;
  }
}

/** Whether a program can listen on the port, which this does for a moment. */
function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
