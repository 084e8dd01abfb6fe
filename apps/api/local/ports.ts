import { createServer } from 'node:net';

/** Whether nothing listens on the port yet. @param host address that would be listened on */
export function isFree(port: number, host: string): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    // Any other fault is not the port's: whoever listens there will say it.
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
