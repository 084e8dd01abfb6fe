export interface ProfileClientOptions {
  /** Address of the service, without `/trpc`. */
  url: string;
  /** Gives the bearer token for each request. */
  token: () => string | Promise<string>;
  /** Gives the active tenant (X-Tenant-Id), where one is chosen. */
  tenantId?: () => string | undefined;
}

/** The service as both faces of the client reach it. */
export interface Connection {
  /** Without a slash at its end. */
  url: string;
  headers(): Promise<Record<string, string>>;
}

/** Reads the token and the tenant anew for each request. */
export function connectionOf({ url, token, tenantId }: ProfileClientOptions): Connection {
  return {
    url: url.replace(/\/$/, ''),
    async headers() {
      const tenant = tenantId?.();
      return { authorization: `Bearer ${await token()}`, ...(tenant ? { 'x-tenant-id': tenant } : {}) };
    },
  };
}
