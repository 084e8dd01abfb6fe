import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collecting more often would move buffers that are still in use to the old generation, which is collected late. */
const bytesPerCollection = 8 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
let passed = 0;

/**
 * Called with the bytes of files that pass through this process. V8 waits for some 64 MiB of dead buffers before it collects them, so this makes a
 * young collection (a millisecond or two) every 8 MiB. Measured with an upload of 1 GiB: the process grows by 0 MiB instead of 70 with a folder, and by 60
 * instead of 85 with S3; the limit is 64.
 */
export function countFileBytes(bytes: number): void {
  passed += bytes;
  if (passed < bytesPerCollection) return;
  passed = 0;
  collect({ type: 'minor', execution: 'sync' });
}
