import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { ProblemError } from '@profile-service/contracts';
import { type AnyTRPCRouter, initTRPC } from '@trpc/server';
import { resolveResponse } from '@trpc/server/http';
import { type LimitAddress, showRateLimit } from '../http/address-limit.ts';
import { type BatchAnswers, measureBatch } from './batch-size.ts';
import { type Exchange, sendWhole } from '../http/exchange.ts';
import type { Call, Operation } from '../../operation/operation.ts';
import { problemDocument, problemHeaders } from '../../operation/problem.ts';
import { problemOfTrpc, trpcError } from './errors.ts';
import { bodyReader, mutationInput, queryInput, type TrpcInputs } from './input.ts';

interface TrpcContext extends TrpcInputs {
  request: IncomingMessage;
  exchange: Exchange;
  /** Of a batch of several calls. */
  batch: BatchAnswers | undefined;
}

export interface TrpcTransport {
  handle(request: IncomingMessage, exchange: Exchange): Promise<void>;
}

const prefix = '/trpc/';
const methods = ['GET', 'HEAD', 'POST'];
/** Calls in one request. */
const mostCalls = 100;

/**
 * The tRPC face: the same operations under `/trpc`, one procedure for each row that takes and gives JSON. It counts a request against the limits by itself,
 * since a batch stands for as many as it has calls, and a refusal is to have tRPC's shape.
 */
export function createTrpcTransport(all: readonly Operation[], docsBase: string, admit: LimitAddress): TrpcTransport {
  const operations = all.filter(({ endpoint }) => endpoint.media === 'json');
  // An error that tRPC raises before it makes the context has an answer with a request id all the same.
  const current = new AsyncLocalStorage<Exchange>();
  const t = initTRPC.context<TrpcContext>().create({
    errorFormatter({ shape, error }) {
      const problem = problemOfTrpc(error);
      const exchange = current.getStore();
      if (exchange) exchange.problem = problem;
      const document = problemDocument(problem, exchange?.requestId ?? '', docsBase);
      // tRPC would show its own stack outside production.
      return {
        ...shape,
        message: problem.message,
        data: { ...shape.data, stack: undefined, httpStatus: problem.status, problem: document },
      };
    },
  });

  const procedureOf = (operation: Operation) => {
    const isQuery = operation.endpoint.method === 'GET';
    const procedure = t.procedure.use(({ ctx, getRawInput, batchIndex, next }) =>
      next({ ctx: { ...ctx, input: () => (isQuery ? queryInput(getRawInput) : mutationInput(ctx, batchIndex)) } }),
    );
    const resolve = ({ ctx: { request, exchange, batch, input } }: { ctx: TrpcContext & Pick<Call, 'input'> }) =>
      operation
        .run({
          authorization: request.headers.authorization,
          tenant: request.headers['x-tenant-id']?.toString(),
          onCaller: (caller) => (exchange.caller = caller),
          onStanding: (status) => showRateLimit(exchange, status),
          onTurn: batch?.refuseMore,
          input,
        })
        .then((output) => (batch ? batch.add(output, !isQuery) : output))
        .catch(refuse);
    return isQuery ? procedure.query(resolve) : procedure.mutation(resolve);
  };

  const router = t.router(treeOf(operations, procedureOf)) as AnyTRPCRouter;
  const byName = new Map(operations.map((operation) => [operation.name, operation]));

  return {
    async handle(request, exchange) {
      const { method = '', headers } = request;
      const refusal = await admit(request, exchange).then(() => null, trpcError);
      if (!methods.includes(method)) {
        exchange.response.setHeader('allow', methods.join(', '));
        throw new ProblemError('METHOD_NOT_ALLOWED');
      }
      const url = new URL(request.url ?? '', 'http://localhost');
      const path = url.pathname.slice(prefix.length);
      const operation = byName.get(path);
      if (operation) exchange.operation = operation;
      const response = await current.run(exchange, () =>
        resolveResponse({
          router,
          path,
          error: refusal,
          maxBatchSize: mostCalls,
          // What tRPC itself looks at. The body is read by this service's own reader, after the caller is known.
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
            if (others > 0) await admit(request, exchange, others).catch(refuse);
            const batch = others > 0 ? measureBatch() : undefined;
            return { request, exchange, batch, isBatch: info.isBatchCall, body: bodyReader(request) };
          },
          responseMeta: ({ errors, type }) => ({
            headers: {
              'content-type': 'application/json',
              ...(errors[0]?.code === 'METHOD_NOT_SUPPORTED' ? { allow: type === 'mutation' ? 'POST' : 'GET' } : {}),
              // Of a batch those of all calls.
              ...Object.fromEntries(errors.flatMap((error) => Object.entries(problemHeaders(problemOfTrpc(error), exchange.hasToken)))),
            },
          }),
        }),
      );
      await send(exchange, response);
    },
  };
}

/** Throws the problem as tRPC does. */
const refuse = (problem: ProblemError): Promise<never> => Promise.reject(trpcError(problem));

/** tRPC's answer as this service sends answers: whole, also where the client would take it in pieces. */
async function send(exchange: Exchange, { status, headers, body }: Response): Promise<void> {
  const bytes = Buffer.from(await new Response(body).arrayBuffer());
  for (const [name, value] of headers) if (name !== 'transfer-encoding') exchange.response.appendHeader(name, value);
  sendWhole(exchange, status, bytes);
}

/** `users.create` → `{ users: { create } }` */
function treeOf<P>(operations: readonly Operation[], make: (operation: Operation) => P): Record<string, never> {
  const tree: Record<string, unknown> = {};
  for (const operation of operations) {
    const keys = operation.name.split('.');
    const last = keys.pop() ?? '';
    let branch = tree;
    for (const key of keys) branch = (branch[key] ??= {}) as Record<string, unknown>;
    branch[last] = make(operation);
  }
  return tree as Record<string, never>;
}
