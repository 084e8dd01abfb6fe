import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';

/** Throws unless the values are equal. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(actual)}`);
}

/** Throws unless the text contains the part. */
export function expectPart(what: string, text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`${what}: ${JSON.stringify(part)} is not in:\n${text}`);
}

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
