import { setFlagsFromString } from 'node:v8';

/**
 * Lets buffers use more memory before V8 collects the whole heap. With V8's defaults, 10 MB of buffers start a collection, although it allows 74 MB of growth
 * (measured with a heap of 26 MB). So a list of 100,000 rows caused two collections, and each delayed all requests by 50 to 100 ms on one processor. The
 * service frees the buffers of lists itself.
 */
export function delayFullCollections(): void {
  // Percentages of the allowed growth. Above the first one, V8 starts a collection when it has time; above the second one, at once.
  setFlagsFromString('--incremental-marking-soft-trigger=60');
  setFlagsFromString('--incremental-marking-hard-trigger=80');
}
