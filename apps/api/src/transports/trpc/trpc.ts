import { ProblemError } from '@profile-service/contracts';
import { resolveResponse } from '@trpc/server/http';
import type { Operation } from '../../operation/operation.ts';
import { problemHeaders } from '../../operation/problem.ts';
import type { LimitAddress } from '../http/address-limit.ts';
import type { Exchange } from '../http/exchange.ts';
import { createBatchSize } from './batch-size.ts';
import { problemOfTrpc, throwAsTrpc, trpcError } from './errors.ts';
import { createBodyReader } from './input.ts';
import { LargeOutputs } from './large-outputs.ts';
import { createProcedures } from './procedures.ts';

const prefix = '/trpc/';
const methods = ['GET', 'HEAD', 'POST'];
/** Maximum number of calls in a batch (D-28). */
const maxCallsPerRequest = 100;

/**
 * Creates the tRPC transport: it serves the operations that exchange JSON under `/trpc`. It applies the rate limit of the address itself, because a batch
 * counts as many requests as it has calls, and the 429 response has tRPC's format.
 * @param docsBase URL of the service, for the `type` of problem documents
 */
export function createTrpcTransport(
  operations: readonly Operation[],
  docsBase: string,
  limitAddress: LimitAddress,
): (exchange: Exchange) => Promise<void> {
  const served = operations.filter(({ endpoint }) => endpoint.media === 'json');
  const byName = new Map(served.map((operation) => [operation.name, operation]));
  const { router, runWith } = createProcedures(served, docsBase);

  return async (exchange) => {
    const { method = '', headers, url: target = '' } = exchange.request;
    const count = async (requests?: number) => limitAddress(exchange, requests);
    const rateLimited = await count().then(
      () => null,
      (problem: ProblemError) => trpcError(problem),
    );
    if (!methods.includes(method)) {
      exchange.setHeader('allow', methods.join(', '));
      throw new ProblemError('METHOD_NOT_ALLOWED');
    }
    const url = new URL(target, 'http://localhost');
    const path = url.pathname.slice(prefix.length);
    exchange.operation = byName.get(path);
    const largeOutputs = new LargeOutputs();
    const response = await runWith(exchange, () =>
      resolveResponse({
        router,
        path,
        error: rateLimited,
        maxBatchSize: maxCallsPerRequest,
        // Contains only what tRPC itself reads. The operations read the body after the caller is authorized.
        req: new Request(url, {
          method,
          headers: {
            'content-type': 'application/json',
            accept: headers.accept ?? '',
            'trpc-accept': String(headers['trpc-accept'] ?? ''),
          },
        }),
        createContext: async ({ info }) => {
          const others = info.calls.length - 1;
          if (others > 0) await count(others).catch(throwAsTrpc);
          const batchSize = others > 0 ? createBatchSize() : undefined;
          return { exchange, largeOutputs, batchSize, isBatch: info.isBatchCall, readBody: createBodyReader(exchange.request) };
        },
        responseMeta: ({ errors, type }) => ({
          headers: {
            'content-type': 'application/json',
            ...(errors[0]?.code === 'METHOD_NOT_SUPPORTED' ? { allow: type === 'mutation' ? 'POST' : 'GET' } : {}),
            // A batch has the headers of all its errors.
            ...Object.fromEntries(errors.flatMap((error) => Object.entries(problemHeaders(problemOfTrpc(error), exchange.hasToken)))),
          },
        }),
      }),
    );
    await send(exchange, response, largeOutputs);
  };
}

/** Sends tRPC's response in one piece, even if the client accepts a stream. */
async function send(exchange: Exchange, { status, headers, body }: Response, largeOutputs: LargeOutputs): Promise<void> {
  const bytes = Buffer.from(await new Response(body).arrayBuffer());
  for (const [name, value] of headers) {
    // Keep the value of `Vary` that CORS has set.
    if (name === 'vary') exchange.response.appendHeader(name, value);
    else if (name !== 'transfer-encoding') exchange.setHeader(name, value);
  }
  exchange.send(status, largeOutputs.restore(bytes));
}
