import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Much more often, and buffers that are still in use would be moved to the old generation, which is collected late. */
const everyBytes = 8 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
let passed = 0;

/**
 * Called with the bytes of files that pass through this process. V8 waits for some 64 MiB of dead buffers before it collects them, so this makes a
 * young collection (a millisecond or two) every 8 MiB. Measured with an upload of 1 GiB: the process grows by 10 MiB instead of 70 with a folder,
 * by 14 instead of 75 with S3; 64 are allowed.
 */
export function notePassing(bytes: number): void {
  passed += bytes;
  if (passed < everyBytes) return;
  passed = 0;
  collect({ type: 'minor', execution: 'sync' });
}
