export interface ProfileClientOptions {
  /** Base URL of the service, without `/trpc`. */
  url: string;
  /** Returns the bearer token. Called for each request. */
  token: () => string | Promise<string>;
  /** Returns the active tenant (`X-Tenant-Id`), or undefined to send none. Called for each request. */
  tenantId?: () => string | undefined;
  /** Attempts per call, including the first. Default: 3. With 1, no call is repeated, and only your own idempotency keys are sent. */
  maxAttempts?: number;
}

/** Where to send requests, and with which headers: shared by procedures and file transfers. */
export interface Connection {
  /** Base URL without a trailing slash. */
  url: string;
  maxAttempts: number;
  headers(): Promise<Record<string, string>>;
}

/** Builds the connection. Its headers are computed for each request, so that a renewed token is used at once. */
export function toConnection({ url, token, tenantId, maxAttempts = 3 }: ProfileClientOptions): Connection {
  return {
    url: url.replace(/\/$/, ''),
    maxAttempts,
    async headers() {
      const tenant = tenantId?.();
      return { authorization: `Bearer ${await token()}`, ...(tenant ? { 'x-tenant-id': tenant } : {}) };
    },
  };
}
