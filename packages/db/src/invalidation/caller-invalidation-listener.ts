import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type CallerInvalidation, parseCallerInvalidation, channel } from './caller-invalidation.ts';
import { BackendClient } from '../connection/backend-client.ts';
import { isBehindPooler } from '../connection/check-session.ts';
import { connectionConfig } from '../connection/database.ts';

export interface ListenOptions {
  connectionString: string;
  /** PEM text, as in `connect`. */
  ca?: string;
  /** Called for each change that another instance, or this one, committed. */
  onInvalidation: (invalidation: CallerInvalidation) => void;
  /**
   * Called with true when the listener starts to receive changes, and with false when it may miss some. Entries that were cached before a
   * `true` may be outdated. Not called by `close`.
   */
  onTrust: (trusted: boolean) => void;
  /** Called once if the connection leads through a connection pooler, which may lose notifications. The listener then does not receive changes. */
  onPooler?: () => void;
  /** Time between two checks of the connection, in milliseconds; default 1,000. */
  heartbeatMs?: number;
}

export interface CallerInvalidationListener {
  /** Whether a check succeeded within the last three heartbeats. Then every older change has arrived. */
  trusted(): boolean;
  close(): Promise<void>;
}

const [shortestPauseMs, longestPauseMs] = [50, 2_000];

/**
 * Listens for changes on a connection of its own and reconnects when it is lost. Returns at once, not yet trusted.
 * It detects a connection that broke silently by a heartbeat: it closes a connection that does not respond within two heartbeats.
 */
export function listenForCallerInvalidations(options: ListenOptions): CallerInvalidationListener {
  const { heartbeatMs = 1_000 } = options;
  const closing = new AbortController();
  let provenAt: number | undefined;
  let pauseMs = shortestPauseMs;
  let hasReportedPooler = false;

  /** In transaction mode, a pooler confirms LISTEN and drops the notifications. */
  async function assertDirect(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id');
    if (!isBehindPooler(client, rows[0]?.id ?? 0)) return;
    if (!hasReportedPooler) options.onPooler?.();
    hasReportedPooler = true;
    throw new Error('The connection leads through a pooler');
  }

  /** Listens on one connection; throws when it is lost. */
  async function listen(): Promise<void> {
    const client = new BackendClient({
      ...connectionConfig({ ...options, applicationName: 'profile-service-changes' }),
      connectionTimeoutMillis: 5_000,
      query_timeout: heartbeatMs * 2,
    });
    const lost = new AbortController();
    const over = AbortSignal.any([lost.signal, closing.signal]);
    // The `end` event follows. Without a listener the error would end the process.
    client.on('error', () => undefined);
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload }) => options.onInvalidation(parseCallerInvalidation(payload)));
    try {
      await client.connect();
      await assertDirect(client);
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
      // Not awaited: a dead connection never confirms its end.
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
