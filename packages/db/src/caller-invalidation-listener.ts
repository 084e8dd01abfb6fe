import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type CallerInvalidation, parseCallerInvalidation, channel } from './caller-invalidation.ts';
import { connectionConfig } from './database.ts';

export interface ListenOptions {
  connectionString: string;
  /** PEM text, as of `connect`. */
  ca?: string;
  /** Called for each change that another instance, or this one, committed. */
  onInvalidation: (invalidation: CallerInvalidation) => void;
  /**
   * Called with true when changes are heard from now on, and with false when they may be missed. What was cached before a `true`
   * may be out of date: nobody heard what changed in between. Not called by `close`.
   */
  onTrust: (trusted: boolean) => void;
  /** Time between two proofs that the connection lives, in milliseconds; 1,000 unless told. */
  heartbeatMs?: number;
}

export interface CallerInvalidationListener {
  /** Whether the connection was seen alive within the last three heartbeats, so that every older change has been heard. */
  trusted(): boolean;
  close(): Promise<void>;
}

const [shortestPauseMs, longestPauseMs] = [50, 2_000];

/**
 * Listens for changes on a connection of its own and makes a new one whenever that is lost. Returns at once, not yet trusted.
 * A heartbeat finds a connection that died without a word: one that does not answer within two beats is given up.
 */
export function listenForCallerInvalidations(options: ListenOptions): CallerInvalidationListener {
  const { heartbeatMs = 1_000 } = options;
  const closing = new AbortController();
  let provenAt: number | undefined;
  let pauseMs = shortestPauseMs;

  /** Lives as long as one connection; throws when that is lost. */
  async function listen(): Promise<void> {
    const client = new pg.Client({
      ...connectionConfig({ ...options, applicationName: 'profile-service-changes' }),
      connectionTimeoutMillis: 5_000,
      query_timeout: heartbeatMs * 2,
    });
    const lost = new AbortController();
    const over = AbortSignal.any([lost.signal, closing.signal]);
    // The end that follows is what counts; without a listener the error would end the process.
    client.on('error', () => undefined);
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload }) => options.onInvalidation(parseCallerInvalidation(payload)));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      while (!over.aborted) {
        const askedAt = performance.now();
        await client.query('select 1');
        const regained = provenAt === undefined;
        provenAt = askedAt;
        pauseMs = shortestPauseMs;
        if (regained) options.onTrust(true);
        await pause(heartbeatMs, undefined, { signal: over });
      }
    } finally {
      const wasTrusted = provenAt !== undefined;
      provenAt = undefined;
      if (wasTrusted && !closing.signal.aborted) options.onTrust(false);
      // Not awaited: a dead connection does not answer a good-bye.
      void client.end().catch(() => undefined);
    }
  }

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen().catch(() => undefined);
      await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  const listening = keepListening();
  return {
    trusted: () => provenAt !== undefined && performance.now() - provenAt <= heartbeatMs * 3,
    close: async () => {
      closing.abort();
      await listening;
    },
  };
}
