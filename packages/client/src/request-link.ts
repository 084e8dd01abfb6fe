import { httpBatchLink, httpLink, type TRPCLink } from '@trpc/client';
import type { Connection, TenantId } from './connection.ts';
import type { ProfileRouter } from './router.ts';
import { parseJson, receive } from './response.ts';

/** The service's limits for one request: number of calls, and characters of the URL. */
const batchLimits = { maxItems: 100, maxURLLength: 8_000 };

/** Maximum size of the input of a batched mutation, in bytes. 100 such inputs with their keys fit the service's body limit of 1 MiB. */
const maxBatchedInput = 10_000;

/** The tenant of a call, and whether it must be sent in a request of its own, in the context of its operation. */
export const contextOf = (tenantId: TenantId, isAlone: boolean) => ({ tenantId, isAlone });

/** Batches calls of one tenant into one request. Long polls are sent alone, and mutations with a large input: a batch never exceeds the body limit. */
export function requestLink(connection: Connection): TRPCLink<ProfileRouter> {
  return (runtime) => {
    /** The links whose batches are still open, by tenant. A batch link collects the calls of one tick. */
    const open = new Map<TenantId, ReturnType<TRPCLink<ProfileRouter>>>();
    const optionsFor = (tenantId: TenantId) => ({ url: `${connection.url}/trpc`, fetch: fetchJson(connection, tenantId) });
    const batchFor = (tenantId: TenantId) => {
      const found = open.get(tenantId);
      if (found) return found;
      const created = httpBatchLink<ProfileRouter>({ ...optionsFor(tenantId), ...batchLimits })(runtime);
      open.set(tenantId, created);
      setTimeout(() => open.delete(tenantId));
      return created;
    };
    return (call) => {
      const { type, input, context } = call.op;
      const { tenantId, isAlone } = context as ReturnType<typeof contextOf>;
      // Also encodes queries: an input that JSON cannot represent must fail here, because in a batch it would fail no call but the process.
      const isLarge = jsonBytes(input) > maxBatchedInput && type === 'mutation';
      // The response of a batch arrives when its last call is done.
      const isLongPoll = Number((input as { wait?: unknown } | undefined)?.wait ?? 0) > 0;
      return (isAlone || isLarge || isLongPoll ? httpLink<ProfileRouter>(optionsFor(tenantId))(runtime) : batchFor(tenantId))(call);
    };
  };
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
  ({ authorize, fetch }: Connection, tenantId: TenantId) =>
  async (url: unknown, { method = 'GET', headers, body, signal }: TrpcRequest = {}) => {
    const response = await authorize(tenantId, async (callerHeaders) => {
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
