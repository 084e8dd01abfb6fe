import { isProfileError, ProfileError } from './error.ts';
import { connectionFailed, invalidRequest, messageOf, type ResponseHead } from './error-from.ts';

/** The argument of a token source. */
export interface TokenRequest {
  /** The token that the service has just rejected with 401. Return another one to have the request repeated once. */
  rejected?: string;
}

/** A header value; nothing to send none. */
type HeaderValue = string | null | undefined;

/** Returns the bearer token, or nothing to send none. */
export type TokenSource = (request: TokenRequest) => HeaderValue | Promise<HeaderValue>;

export interface ProfileClientOptions {
  /** Base URL of the service, without `/trpc`. */
  url: string;
  /** The bearer token, or a function that returns it. The function is called for each request, and once more after a 401. */
  token: HeaderValue | TokenSource;
  /**
   * The active tenant (`X-Tenant-Id`), or a function that returns it. The function is called once per call, when the call is made: all attempts of the call go
   * to the same tenant. Without one, no header is sent.
   */
  tenantId?: HeaderValue | (() => HeaderValue | Promise<HeaderValue>);
  /** Attempts per call, including the first. Default: 3. With 1, no call is repeated, and only your own idempotency keys are sent. */
  maxAttempts?: number | undefined;
  /** Used instead of the global `fetch`, except for uploads with progress in browsers, which need XMLHttpRequest. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** The tenant of a call. Undefined to send no header. */
export type TenantId = string | undefined;

/** Where and how to send requests: shared by procedures and file transfers. */
export interface Connection {
  /** Base URL without a trailing slash. */
  url: string;
  maxAttempts: number;
  /** Sends a request by `fetch`. @throws ProfileError without a response: CLIENT_ERROR if the request is invalid */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Reads the active tenant: once per call, when the call is made. */
  readTenant(): TenantId | Promise<TenantId>;
  /**
   * Sends a request with the headers of the caller. After a 401, sends it once more if the token source returns another token.
   * @param isRepeatable false if the body can be sent only once
   */
  authorize<Head extends { status: number }>(
    tenantId: TenantId,
    send: (headers: Record<string, string>) => Promise<Head>,
    isRepeatable?: boolean,
  ): Promise<Head>;
}

/** Returns a connection whose calls all go to the tenant that is active when the first one is made. */
export function pinTenant(connection: Connection): Connection {
  let read: { tenant: ReturnType<Connection['readTenant']> } | undefined;
  return { ...connection, readTenant: () => (read ??= { tenant: connection.readTenant() }).tenant };
}

/** Builds the connection of a client. */
export function toConnection(options: ProfileClientOptions): Connection {
  const { url, token, tenantId, maxAttempts = 3 } = options;
  return {
    url: url.replace(/\/+$/, ''),
    maxAttempts,
    async fetch(target, init) {
      // Read for each request: tests and tracing replace the global `fetch`.
      const send = options.fetch ?? globalThis.fetch;
      try {
        return await send(target, init);
      } catch (error) {
        // A `fetch` of the caller may accept relative URLs.
        const checked = options.fetch && target.startsWith('/') ? undefined : target;
        throw invalidRequest(checked, init.headers) ?? connectionFailed(error, init.signal);
      }
    },
    readTenant() {
      const tenant = typeof tenantId === 'function' ? tenantId() : tenantId;
      return typeof tenant === 'object' && tenant !== null
        ? Promise.resolve(tenant).then((read) => read || undefined)
        : tenant || undefined;
    },
    async authorize<Head extends Pick<ResponseHead, 'status'>>(
      tenant: TenantId,
      send: (headers: Record<string, string>) => Promise<Head>,
      isRepeatable = true,
    ) {
      const bearer = await getToken(token, {});
      const response = await send(headersFor(bearer, tenant));
      if (response.status !== 401 || !bearer || !isRepeatable) return response;
      const renewed = await getToken(token, { rejected: bearer });
      return renewed && renewed !== bearer ? await send(headersFor(renewed, tenant)) : response;
    },
  };
}

const headersFor = (bearer: HeaderValue, tenantId: TenantId): Record<string, string> => ({
  ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
  ...(tenantId ? { 'x-tenant-id': tenantId } : {}),
});

async function getToken(token: ProfileClientOptions['token'], request: TokenRequest): Promise<HeaderValue> {
  if (typeof token !== 'function') return token;
  try {
    return await token(request);
  } catch (error) {
    if (isProfileError(error)) throw error;
    throw new ProfileError({ code: 'TOKEN_FAILED', message: `The token could not be obtained: ${messageOf(error)}`, cause: error });
  }
}
