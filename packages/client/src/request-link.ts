import { httpBatchLink, httpLink, splitLink, type TRPCLink } from '@trpc/client';
import type { Connection } from './connection.ts';
import type { ProfileRouter } from './router.ts';
import { parseJson, receive } from './response.ts';

/** The service's limits for one request: number of calls, and characters of the URL. */
const batchLimits = { maxItems: 100, maxURLLength: 8_000 };

/** Maximum size of the input of a batched mutation, in bytes. 100 such inputs with their keys fit the service's body limit of 1 MiB. */
const maxBatchedInput = 10_000;

/** Batches calls into one request. A mutation with a large input is sent alone, so that a batch never exceeds the body limit. */
export function requestLink(connection: Connection): TRPCLink<ProfileRouter> {
  const options = { url: `${connection.url}/trpc`, fetch: fetchJson(connection) };
  return splitLink<ProfileRouter>({
    // Also encodes queries: an input that JSON cannot represent must fail here, because in a batch it would fail no call but the process.
    condition: ({ type, input }) => jsonBytes(input) > maxBatchedInput && type === 'mutation',
    true: httpLink(options),
    false: httpBatchLink({ ...options, ...batchLimits }),
  });
}

/** What tRPC passes to `fetch`. */
interface TrpcRequest {
  method?: string | undefined;
  headers?: unknown;
  body?: unknown;
  signal?: AbortSignal | null | undefined;
}

/** Sends a request of a tRPC link, and reads the response. @throws ProfileError if it has no JSON */
const fetchJson =
  ({ authorize, fetch }: Connection) =>
  async (url: unknown, { method = 'GET', headers, body, signal }: TrpcRequest = {}) => {
    const response = await authorize(async (callerHeaders) => {
      const init = {
        method,
        headers: { ...(headers as object), ...callerHeaders },
        body: (body ?? null) as string | null,
        signal: signal ?? null,
      };
      return await receive(await fetch(String(url), init), signal);
    });
    parseJson(response);
    return new Response(response.text, { status: response.status, headers: response.headers });
  };

/** Size of the JSON text in UTF-8. `JSON.stringify(undefined)` is undefined, which encodes to nothing. */
const jsonBytes = (input: unknown): number => new TextEncoder().encode(JSON.stringify(input)).length;
