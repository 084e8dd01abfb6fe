import { afterAll, beforeAll } from 'vitest';

/** Starts or creates something before the tests of a file or of a `describe`, and stops it after them if it must be stopped. The object has its properties while the tests run. */
export function duringTests<Started extends object>(start: () => Promise<Started>, stop?: (started: Started) => Promise<unknown>): Started {
  const used = {} as Started;
  beforeAll(async () => void Object.assign(used, await start()));
  // Nothing to stop if the start has failed.
  afterAll(async () => void (Object.keys(used).length > 0 && (await stop?.(used))));
  return used;
}
