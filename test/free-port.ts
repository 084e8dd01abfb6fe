import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns a port on which no program listens. Systems do not give ports below 32768 to outgoing connections or to servers that ask for any port, so none takes it
 * before the caller listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_767);
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

/** Listens on the port for a moment. */
function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
