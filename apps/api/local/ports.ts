import { createServer } from 'node:net';
import { StartError } from './start-error.ts';

/** Returns the PORT setting as a number. The identity provider listens on the next port. @throws StartError unless the port is valid and free */
export async function readPort(text: string, host: string): Promise<number> {
  const port = Number(text);
  if (!(port >= 1 && port < 65_535)) {
    throw new StartError(`PORT is ${text}: it must be a number from 1 to 65534. The identity provider listens on the next port.`);
  }
  if (!(await isFree(port, host))) throw new StartError(`Port ${port} is in use. Stop the program that listens on it, or set PORT.`);
  return port;
}

/** Addresses on which programs of this machine can be reached as localhost. */
const localHosts = ['0.0.0.0', '::', '127.0.0.1', 'localhost'];

/** @throws StartError if the embedded identity provider would not be reachable at its address, which is on localhost */
export function requireLocalhost(host: string): void {
  if (localHosts.includes(host)) return;
  throw new StartError(`HOST is ${host}: it must be 0.0.0.0, :: or 127.0.0.1, since all addresses of the demo are on localhost.`);
}

/** @throws StartError if the port of the identity provider is in use. No other port is chosen, because examples and bookmarks have this one. */
export async function requireIdentityPort(port: number, host: string): Promise<void> {
  if (await isFree(port, host)) return;
  throw new StartError(`Port ${port} is in use, but the identity provider needs it: it listens on the port after PORT.`);
}

/** Returns whether no program listens on the port of this address. */
function isFree(port: number, host: string): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    // Other errors concern the address, and the service reports them when it listens.
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
