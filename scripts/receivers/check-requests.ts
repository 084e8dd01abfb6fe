import { isDeepStrictEqual } from 'node:util';
import { createSecret } from '@profile-service/webhooks';
import { freePort } from '../../test/free-port.ts';
import { checks, expectedLines } from './checks.ts';
import type { Counter } from './counter.ts';
import type { InstalledReceiver } from './install-receiver.ts';

/** Sends a receiver signed, forged, changed and old requests. */
export async function checkRequests(receiver: InstalledReceiver, counter: Counter): Promise<void> {
  const [secret, port] = [createSecret(), await freePort()];
  const running = await receiver.start(secret, port);
  try {
    for (const { name, status, send } of checks) {
      const actual = await send(`http://localhost:${port}/webhooks`, secret);
      counter.count(actual === status, `${name}: ${actual}`);
    }
    const lines = await running.lines(expectedLines.length);
    counter.count(isDeepStrictEqual(lines, expectedLines), `it prints each event once: ${lines.join(', ')}`);
  } finally {
    await running.stop();
  }
}
