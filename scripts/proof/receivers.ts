import { receivers } from '../receivers/receiver.ts';
import { runReceiver } from '../receivers/run-receiver.ts';
import type { Outcome } from '../ci/steps.ts';
import { closeWith } from './run-vitest.ts';

/**
 * `npm run proof -- receivers`: starts each receiver of examples/webhook-receivers, and sends it signed, forged, changed and old requests. The last line says how many
 * checks passed and failed.
 */
await closeWith(async () => {
  const total: Outcome = { passed: 0, failed: 0 };
  for (const receiver of receivers) {
    console.log(`\n── ${receiver.name}`);
    const { passed, failed } = await runReceiver(receiver).catch((error: unknown): Outcome => {
      console.error(error instanceof Error ? error.message : error);
      return { passed: 0, failed: 1 };
    });
    total.passed += passed;
    total.failed += failed;
  }
  return total;
});
