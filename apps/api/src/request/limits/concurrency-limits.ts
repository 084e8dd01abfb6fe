import { Admission, type AdmissionOptions } from './admission.ts';
import { OutboundBufferLimit } from './outbound-buffer-limit.ts';

/** The limits of one tenant on one instance, so that one tenant cannot use up its resources. The key of each limit is `tenantKey` (D-29). */
export interface ConcurrencyLimits {
  /** Operations that use the database: of one tenant at most half as many as the pool has connections. */
  database: Admission;
  /** Statements outside of operations: loading callers, and recording refused calls. The key is the subject or the tenant (D-163). */
  callers: Admission;
  /** Parsing of large JSON bodies, one at a time. */
  largeBodies: Admission;
  /** Files that arrive or are sent. The queue has no limit, because each waiting operation has a connection. */
  uploads: Admission;
  downloads: Admission;
  /** Exports, each of which occupies a connection: of one tenant at most half of them. */
  exports: Admission;
  /** Checks of the URLs of webhooks, which resolve host names, and tests of webhooks, which send a request. */
  webhookChecks: Admission;
  outboundBuffer: OutboundBufferLimit;
}

/** The limits of a tenant that are not settings. */
export interface TenantLimits {
  /** How long a request over a concurrency limit waits for a slot, in milliseconds; default: as long as for a connection. */
  waitMs: number;
  /** Limit of JSON responses that clients have not received yet, in bytes. */
  outboundBufferBytes: number;
  /** How long a client may take to receive a JSON response, in milliseconds. */
  responseTimeoutMs: number;
}

/** Checks and tests of webhooks at once. A check takes 5 seconds if no name server answers, a test at most WEBHOOK_TIMEOUT_SECONDS. */
const maxWebhookChecks = 20;

const defaults = { outboundBufferBytes: 64 * 1024 * 1024, responseTimeoutMs: 120_000 };

/** The settings of the concurrency limits. */
export interface ConcurrencySettings {
  DATABASE_POOL_MAX: number;
  DATABASE_REPLICA_URL?: string | undefined;
  REQUEST_QUEUE_MAX: number;
  REQUEST_QUEUE_DELAY_MS: number;
  DATABASE_POOL_TIMEOUT_SECONDS: number;
  UPLOADS_AT_ONCE_PER_TENANT: number;
  DOWNLOADS_AT_ONCE_PER_TENANT: number;
  EXPORTS_AT_ONCE: number;
}

export interface ConcurrencyLimitsOptions {
  settings: ConcurrencySettings;
  /** Overrides of the defaults, for tests. */
  limits?: Partial<TenantLimits> | undefined;
  /** Called for each request that a limit of its tenant has rejected, for the metrics. */
  onRejected(): void;
  /** Called for each request that is rejected because the service is overloaded. */
  onOverloaded(): void;
  /** Called for each request that has waited for its turn. */
  onWaited(seconds: number): void;
}

/** Creates the concurrency limits and the outbound buffer limit of tenants. */
export function createConcurrencyLimits({
  settings,
  limits,
  onRejected,
  onOverloaded,
  onWaited,
}: ConcurrencyLimitsOptions): ConcurrencyLimits {
  const defaultWaitMs = settings.DATABASE_POOL_TIMEOUT_SECONDS * 1000;
  const { waitMs = defaultWaitMs, outboundBufferBytes, responseTimeoutMs } = { ...defaults, ...limits };
  const admission = (slots: Pick<AdmissionOptions, 'of' | 'max' | 'maxPerTenant'> & Partial<AdmissionOptions>) =>
    new Admission({
      maxWaiting: settings.REQUEST_QUEUE_MAX,
      maxDelayMs: settings.REQUEST_QUEUE_DELAY_MS,
      waitMs,
      onTenantRejected: onRejected,
      onOverloaded,
      onWaited: () => undefined,
      ...slots,
    });
  const perTenant = (operations: string, maxPerTenant: number) =>
    admission({ of: 'a slot', operations, max: Infinity, maxPerTenant: maxPerTenant || Infinity, maxWaiting: 0 });
  return {
    database: admission({
      of: 'a database slot',
      // Primary and replica have a pool each.
      max: settings.DATABASE_POOL_MAX * (settings.DATABASE_REPLICA_URL === undefined ? 1 : 2),
      maxPerTenant: Math.ceil(settings.DATABASE_POOL_MAX / 2),
      onWaited,
    }),
    // The turns share the slots between callers. A wait is the fault of the database, so it ends with 503 and not 429.
    callers: admission({
      of: 'the loading of their caller',
      max: Math.ceil(settings.DATABASE_POOL_MAX / 2),
      maxPerTenant: Infinity,
    }),
    // A tenant that uses the only slot is not limited by it: it waits for the next turn like the others.
    largeBodies: admission({
      of: 'the parsing of their body',
      max: 1,
      maxPerTenant: Infinity,
    }),
    uploads: perTenant('uploads', settings.UPLOADS_AT_ONCE_PER_TENANT),
    downloads: perTenant('downloads', settings.DOWNLOADS_AT_ONCE_PER_TENANT),
    exports: admission({
      of: 'a slot',
      operations: 'exports',
      max: settings.EXPORTS_AT_ONCE,
      maxPerTenant: Math.ceil(settings.EXPORTS_AT_ONCE / 2),
    }),
    webhookChecks: perTenant('checks and tests of webhooks', maxWebhookChecks),
    outboundBuffer: new OutboundBufferLimit({ maxBytes: outboundBufferBytes, timeoutMs: responseTimeoutMs, onRejected }),
  };
}
