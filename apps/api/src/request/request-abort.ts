import type { CancellableRequest, Executor } from '@profile-service/db';

/** Whether the client of a request has disconnected before it had its response. An `AbortSignal` would be expensive. */
export class RequestAbort implements CancellableRequest {
  readonly executors = new Map<Executor, Executor>();
  readonly #listeners = new Set<() => void>();
  #reason: Error | undefined;

  /** Undefined until the request is aborted. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  abort(): void {
    this.#reason ??= new DOMException('The client has disconnected', 'AbortError');
    for (const listener of this.#listeners) listener();
  }

  throwIfAborted(): void {
    if (this.#reason) throw this.#reason;
  }

  onAbort(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
