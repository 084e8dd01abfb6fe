import { type AddressInfo, createServer } from 'node:net';

/** Returns a port on which no program listens. */
export async function freePort(): Promise<number> {
  const port = await listen(0);
  if (port === undefined) throw new Error('No port is free.');
  return port;
}

/** Returns a port for `npm start`, whose identity provider needs the next one. No program listens on either. */
export async function freePortPair(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port < 65_535 && (await listen(port + 1))) return port;
  }
}

/** Listens on the port for a moment, and returns it. Undefined if it is in use. */
function listen(wanted: number): Promise<number | undefined> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(undefined));
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
