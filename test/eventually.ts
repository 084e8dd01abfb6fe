import { setTimeout as pause } from 'node:timers/promises';

/** Repeats an action until it does not throw, for up to 2 minutes. Throws its last error. */
export async function eventually<T>(action: () => Promise<T>): Promise<T> {
  const end = performance.now() + 120_000;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause(250);
    }
  }
}
