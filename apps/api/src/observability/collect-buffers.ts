import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A smaller interval would move buffers that are still in use to the old generation, which is collected late. */
const bytesPerCollection = 8 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
let bytesSinceCollection = 0;

/**
 * Runs a minor garbage collection (1 to 2 ms) after every 8 MiB of uploaded or downloaded files: V8 alone collects buffers only after about 64 MiB. Measured
 * with an upload of 1 GiB: the process grows by 0 MiB instead of 70 with a folder, and by 60 instead of 85 with S3; the limit is 64.
 * @param bytes of a file that have passed through this process
 */
export function countFileBytes(bytes: number): void {
  bytesSinceCollection += bytes;
  if (bytesSinceCollection < bytesPerCollection) return;
  bytesSinceCollection = 0;
  collect({ type: 'minor', execution: 'sync' });
}
