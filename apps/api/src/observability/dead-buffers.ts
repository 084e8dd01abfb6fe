import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Much more often, and buffers that are still in use would be taken for old ones, which are kept. */
const everyBytes = 8 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
let passed = 0;

/**
 * Told of bytes of files that pass through this process. V8 lets some 64 MiB of dead buffers lie before it looks for them, since in its own heap
 * each is a few bytes; so a young collection, of a millisecond or two, is made whenever 8 MiB have gone through.
 */
export function notePassing(bytes: number): void {
  passed += bytes;
  if (passed < everyBytes) return;
  passed = 0;
  collect({ type: 'minor', execution: 'sync' });
}
