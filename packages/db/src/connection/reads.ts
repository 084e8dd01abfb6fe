import pLimit from 'p-limit';
import type { BoundStatement, Executor } from './executor.ts';
import type { Session, Sessions } from './session.ts';

/** A request whose reads can be cancelled. */
export interface CancellableRequest {
  /** Throws the reason if the request was aborted. */
  throwIfAborted(): void;
  /** Calls the listener when the request is aborted. @returns a function that removes the listener */
  onAbort(listener: () => void): () => void;
  /**
   * The executors of its reads, by the executor of their pool. Not in a WeakMap: its values refer to the request, so a minor garbage collection would keep
   * both.
   */
  readonly executors: Map<Executor, Executor>;
}

/** Sends at most two cancel requests at once, since each opens a connection. The others wait for their turn. */
const inTurn = pLimit(2);

/** Creates an executor that sends each read on any connection of the pool. */
export const readsOnAnyConnection = (sessions: Sessions): Executor => ({
  async run(statement) {
    const session = await sessions.acquire();
    try {
      return await session.read(statement);
    } finally {
      session.release();
    }
  },
});

/**
 * Sends the reads of a request. Those that run at the same time share a connection, such as the calls of a batch. When the request is aborted, they are
 * cancelled.
 */
export class Reads implements Executor {
  readonly #sessions: Sessions;
  readonly #request: CancellableRequest;
  /** The connection of the reads that run or wait for it. */
  #session: Promise<Session> | undefined;
  #stopListening: (() => void) | undefined;
  #users = 0;
  readonly #running = new Set<Promise<unknown>>();
  /** The cancel request that was sent last. Until it completes, the connection must not run another statement: it would be cancelled. */
  #cancelling: Promise<void> | undefined;

  constructor(sessions: Sessions, request: CancellableRequest) {
    this.#sessions = sessions;
    this.#request = request;
  }

  async run(statement: BoundStatement): Promise<unknown[]> {
    this.#request.throwIfAborted();
    this.#users += 1;
    let session: Session | undefined;
    let rows: Promise<unknown[]> | undefined;
    try {
      session = await (this.#session ??= this.#open());
      this.#request.throwIfAborted();
      rows = session.read(statement);
      this.#running.add(rows);
      return await rows;
    } finally {
      if (rows) this.#running.delete(rows);
      this.#users -= 1;
      if (this.#users === 0) {
        this.#session = undefined;
        this.#stopListening?.();
        if (this.#cancelling) await this.#cancelling;
        session?.release();
      }
      this.#request.throwIfAborted();
    }
  }

  async #open(): Promise<Session> {
    const session = await this.#sessions.acquire();
    this.#stopListening = this.#request.onAbort(() => void this.#cancel(session));
    return session;
  }

  /** Cancels the statements one after the other: a cancel request ends the one that PostgreSQL runs when it arrives. */
  async #cancel(session: Session): Promise<void> {
    for (const rows of this.#running) {
      await inTurn(async () => {
        if (this.#running.has(rows)) await (this.#cancelling = session.cancel());
      });
      await rows.catch(() => undefined);
    }
  }
}
