import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

/** Returns a fault that repeats an action until it ends. Errors of the action are ignored: the part may be down. */
export function repeat(everyMs: number, action: () => Promise<unknown>): Pick<Fault, 'begin' | 'end'> {
  let isRunning = false;
  let running: Promise<void> | undefined;
  return {
    async begin() {
      isRunning = true;
      const run = async () => {
        while (isRunning) {
          await action().catch(() => undefined);
          await pause(everyMs);
        }
      };
      running = run();
    },
    async end() {
      isRunning = false;
      await running;
    },
  };
}
