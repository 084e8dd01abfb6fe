/** A request for a slot, which may be aborted while it waits. */
export interface SlotRequest {
  /** Why the request was aborted; undefined until then. */
  readonly reason: Error | undefined;
  /** Calls the listener when the request is aborted. @returns a function that removes the listener */
  onAbort(listener: () => void): () => void;
}

/** For work that no client can abort. */
export const neverAborted: SlotRequest = { reason: undefined, onAbort: () => () => undefined };

/** Where a request waits for a slot. */
export interface SlotQueue {
  /** How long a request waits, in milliseconds. */
  waitMs: number;
  /** Adds a request. @param start to call when it has its slot @returns a function that removes it */
  enter(start: () => void): () => void;
  /** Returns the error of a request that has waited for too long. */
  timeout(): Error;
}

/** Waits in a queue for a slot. @throws the error of the timeout, or the reason if the request is aborted while it waits */
export function waitForSlot(request: SlotRequest, { waitMs, enter, timeout }: SlotQueue): Promise<void> {
  return new Promise((resolve, reject) => {
    if (request.reason) return reject(request.reason);
    const leave = () => {
      remove();
      clearTimeout(timer);
      stopListening();
    };
    const timer = setTimeout(() => {
      leave();
      reject(timeout());
    }, waitMs);
    const stopListening = request.onAbort(() => {
      leave();
      reject(request.reason as Error);
    });
    const remove = enter(() => {
      leave();
      resolve();
    });
  });
}

/** Runs the work, then releases its slot, also if the work fails. Starts the work synchronously. */
export function useSlot<T>(work: () => T | Promise<T>, release: () => void): T | Promise<T> {
  let result: T | Promise<T>;
  try {
    result = work();
  } catch (error) {
    release();
    throw error;
  }
  if (result instanceof Promise) return result.finally(release);
  release();
  return result;
}
