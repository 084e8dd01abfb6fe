import { poolWaitMs } from '@profile-service/db';
import type { Settings } from '../settings.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { OutboundBufferLimit } from './outbound-buffer-limit.ts';

/** What one tenant may hold of an instance at once, so that there is something left for the others; by `holderKey`. */
export interface ConcurrencyLimits {
  /** Handlers that use the database: half of its connections. */
  database: ConcurrencyLimit;
  uploads: ConcurrencyLimit;
  downloads: ConcurrencyLimit;
  outboundBuffer: OutboundBufferLimit;
}

export interface TenantLimits {
  /** How long what is too much at once waits for its turn, in milliseconds. */
  waitMs: number;
  /** Of the JSON answers that clients have not taken yet. */
  unreadBytes: number;
  /** How long a client may take for a JSON answer, in milliseconds. */
  longestAnswerMs: number;
}

const usual: TenantLimits = { waitMs: poolWaitMs, unreadBytes: 64 * 1024 * 1024, longestAnswerMs: 120_000 };

export interface ConcurrencyLimitsOptions {
  settings: Settings;
  /** Others than the usual ones. */
  limits?: Partial<TenantLimits> | undefined;
  /** Told of each refusal, for the metrics. */
  onRefused(): void;
}

/** The shares of the settings. */
export function createConcurrencyLimits({ settings, limits, onRefused }: ConcurrencyLimitsOptions): ConcurrencyLimits {
  const { waitMs, unreadBytes, longestAnswerMs } = { ...usual, ...limits };
  const share = (of: string, most: number) => new ConcurrencyLimit({ of, most, waitMs, onRefused });
  return {
    database: share('requests', Math.ceil(settings.DATABASE_POOL_MAX / 2)),
    uploads: share('uploads', settings.UPLOADS_AT_ONCE_PER_TENANT),
    downloads: share('downloads', settings.DOWNLOADS_AT_ONCE_PER_TENANT),
    outboundBuffer: new OutboundBufferLimit({ mostBytes: unreadBytes, longestMs: longestAnswerMs, onRefused }),
  };
}
