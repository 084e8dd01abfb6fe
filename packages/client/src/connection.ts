import { isProfileError, ProfileError } from './error.ts';
import { connectionFailed, messageOf, type ResponseHead } from './error-from.ts';

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
  /** The active tenant (`X-Tenant-Id`), or a function that returns it. The function is called for each request. Without one, no header is sent. */
  tenantId?: HeaderValue | (() => HeaderValue | Promise<HeaderValue>);
  /** Attempts per call, including the first. Default: 3. With 1, no call is repeated, and only your own idempotency keys are sent. */
  maxAttempts?: number;
  /** Used instead of the global `fetch`, except for uploads with progress in browsers, which need XMLHttpRequest. */
  fetch?: typeof globalThis.fetch;
}

/** Where and how to send requests: shared by procedures and file transfers. */
export interface Connection {
  /** Base URL without a trailing slash. */
  url: string;
  maxAttempts: number;
  /** Sends a request by `fetch`. @throws ProfileError without a response */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /**
   * Sends a request with the headers of the caller. After a 401, sends it once more if the token source returns another token.
   * @param isRepeatable false if the body can be sent only once
   */
  authorize<Head extends { status: number }>(
    send: (headers: Record<string, string>) => Promise<Head>,
    isRepeatable?: boolean,
  ): Promise<Head>;
}

/** Builds the connection of a client. */
export function toConnection(options: ProfileClientOptions): Connection {
  const { url, token, tenantId, maxAttempts = 3 } = options;
  const tenant = async () => (typeof tenantId === 'function' ? await tenantId() : tenantId);
  const headersFor = async (bearer: HeaderValue): Promise<Record<string, string>> => {
    const active = await tenant();
    return { ...(bearer ? { authorization: `Bearer ${bearer}` } : {}), ...(active ? { 'x-tenant-id': active } : {}) };
  };
  return {
    url: url.replace(/\/+$/, ''),
    maxAttempts,
    async fetch(target, init) {
      // Read for each request: tests and tracing replace the global `fetch`.
      const send = options.fetch ?? globalThis.fetch;
      try {
        return await send(target, init);
      } catch (error) {
        throw connectionFailed(error, init.signal);
      }
    },
    async authorize<Head extends Pick<ResponseHead, 'status'>>(
      send: (headers: Record<string, string>) => Promise<Head>,
      isRepeatable = true,
    ) {
      const bearer = await getToken(token, {});
      const response = await send(await headersFor(bearer));
      if (response.status !== 401 || !bearer || !isRepeatable) return response;
      const renewed = await getToken(token, { rejected: bearer });
      return renewed && renewed !== bearer ? await send(await headersFor(renewed)) : response;
    },
  };
}

async function getToken(token: ProfileClientOptions['token'], request: TokenRequest): Promise<HeaderValue> {
  if (typeof token !== 'function') return token;
  try {
    return await token(request);
  } catch (error) {
    if (isProfileError(error)) throw error;
    throw new ProfileError({ code: 'TOKEN_FAILED', message: `The token could not be obtained: ${messageOf(error)}`, cause: error });
  }
}
