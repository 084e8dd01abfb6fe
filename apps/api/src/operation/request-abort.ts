import type { CancellableRequest } from '@profile-service/db';

/**
 * Whether the client of a request has disconnected before it had its response. An `AbortSignal` is expensive, so there is one only after a handler has asked
 * for it.
 */
export class RequestAbort implements CancellableRequest {
  #reason: Error | undefined;
  #listeners: Set<() => void> | undefined;
  #controller: AbortController | undefined;

  /** Undefined until the request is aborted. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  abort(): void {
    this.#reason ??= new DOMException('The client has disconnected', 'AbortError');
    this.#controller?.abort(this.#reason);
    for (const listener of this.#listeners ?? []) listener();
  }

  throwIfAborted(): void {
    if (this.#reason) throw this.#reason;
  }

  onAbort(listener: () => void): () => void {
    const listeners = (this.#listeners ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
}
