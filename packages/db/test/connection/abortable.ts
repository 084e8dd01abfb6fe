import type { CancellableRequest } from '../../src/index.ts';

/** A request whose client the test disconnects. `listeners` wait for that. */
export function abortable() {
  const listeners = new Set<() => void>();
  const aborter = new AbortController();
  const request: CancellableRequest = {
    executors: new Map(),
    throwIfAborted: () => aborter.signal.throwIfAborted(),
    onAbort(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const abort = () => {
    aborter.abort(new Error('disconnected'));
    for (const listener of listeners) listener();
  };
  return { request, abort, listeners };
}
