import { checkRequests } from '../receivers/check-requests.ts';
import { checkService } from '../receivers/check-service.ts';
import { Counter } from '../receivers/counter.ts';
import { type InstalledReceiver, installReceiver } from '../receivers/install-receiver.ts';
import { receivers } from '../receivers/receiver.ts';
import { closeWith } from './run-vitest.ts';

/**
 * `npm run proof -- receivers`: starts each receiver of examples/webhook-receivers, and sends it signed, forged, changed and old requests. Then starts the service
 * with a webhook for each of them. The last line says how many checks passed and failed.
 */
await closeWith(async () => {
  const counter = new Counter();
  const installed: InstalledReceiver[] = [];
  const part = (name: string, run: () => Promise<void>) => {
    console.log(`\n── ${name}`);
    return run().catch((error: unknown) => counter.count(false, error instanceof Error ? error.message : String(error)));
  };
  try {
    for (const receiver of receivers)
      await part(receiver.name, async () => {
        const each = await installReceiver(receiver);
        installed.push(each);
        await checkRequests(each, counter);
      });
    await part('Events of the service', () => checkService(installed, counter));
  } finally {
    for (const { remove } of installed) await remove();
  }
  return counter.outcome;
});
