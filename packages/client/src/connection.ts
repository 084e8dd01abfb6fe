export interface ProfileClientOptions {
  /** Base URL of the service, without `/trpc`. */
  url: string;
  /** Returns the bearer token. Called for each request. */
  token: () => string | Promise<string>;
  /** Returns the active tenant (`X-Tenant-Id`), or undefined to send none. Called for each request. */
  tenantId?: () => string | undefined;
}

/** Where to send requests, and with which headers: shared by procedures and file transfers. */
export interface Connection {
  /** Base URL without a trailing slash. */
  url: string;
  headers(): Promise<Record<string, string>>;
}

/** Builds the connection. Its headers are computed for each request, so that a renewed token is used at once. */
export function toConnection({ url, token, tenantId }: ProfileClientOptions): Connection {
  return {
    url: url.replace(/\/$/, ''),
    async headers() {
      const tenant = tenantId?.();
      return { authorization: `Bearer ${await token()}`, ...(tenant ? { 'x-tenant-id': tenant } : {}) };
    },
  };
}
