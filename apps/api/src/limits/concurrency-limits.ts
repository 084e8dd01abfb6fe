import { poolWaitMs } from '@profile-service/db';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { OutboundBufferLimit } from './outbound-buffer-limit.ts';

/** What one tenant may use of an instance at once, so that something is left for the others. The key is that of `tenantKey`. */
export interface ConcurrencyLimits {
  /** Operations that use the database: half of its connections. */
  database: ConcurrencyLimit;
  uploads: ConcurrencyLimit;
  downloads: ConcurrencyLimit;
  outboundBuffer: OutboundBufferLimit;
}

export interface TenantLimits {
  /** How long a request over a concurrency limit waits for a slot, in milliseconds. */
  waitMs: number;
  /** Bytes of JSON responses that clients have not received yet. */
  outboundBufferBytes: number;
  /** How long a client may take to receive a JSON response, in milliseconds. */
  responseTimeoutMs: number;
}

const defaults: TenantLimits = { waitMs: poolWaitMs, outboundBufferBytes: 64 * 1024 * 1024, responseTimeoutMs: 120_000 };

export interface ConcurrencySettings {
  DATABASE_POOL_MAX: number;
  UPLOADS_AT_ONCE_PER_TENANT: number;
  DOWNLOADS_AT_ONCE_PER_TENANT: number;
}

export interface ConcurrencyLimitsOptions {
  settings: ConcurrencySettings;
  /** Overrides of the defaults, for tests. */
  limits?: Partial<TenantLimits> | undefined;
  /** Called for each refusal, for the metrics. */
  onRefused(): void;
}

/** Creates the concurrency limits that the settings ask for. */
export function createConcurrencyLimits({ settings, limits, onRefused }: ConcurrencyLimitsOptions): ConcurrencyLimits {
  const { waitMs, outboundBufferBytes, responseTimeoutMs } = { ...defaults, ...limits };
  const limit = (of: string, max: number) => new ConcurrencyLimit({ of, max, waitMs, onRefused });
  return {
    database: limit('requests', Math.ceil(settings.DATABASE_POOL_MAX / 2)),
    uploads: limit('uploads', settings.UPLOADS_AT_ONCE_PER_TENANT),
    downloads: limit('downloads', settings.DOWNLOADS_AT_ONCE_PER_TENANT),
    outboundBuffer: new OutboundBufferLimit({ maxBytes: outboundBufferBytes, timeoutMs: responseTimeoutMs, onRefused }),
  };
}
