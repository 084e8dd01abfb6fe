import type { IncomingMessage } from 'node:http';
import { type ErrorCode, ProblemError } from '@profile-service/contracts';
import { type AnyTRPCRouter, initTRPC, type TRPC_ERROR_CODE_KEY, TRPCError } from '@trpc/server';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import { jsonLimit } from './body.ts';
import type { Exchange } from './exchange.ts';
import type { Operation } from '../operation/operation.ts';
import { problemDocument, problemHeaders } from '../operation/problem.ts';

interface TrpcContext {
  request: IncomingMessage;
  exchange: Exchange;
}

export interface TrpcFace {
  handle(request: IncomingMessage, exchange: Exchange): Promise<void>;
}

const trpcCodes: Record<number, TRPC_ERROR_CODE_KEY> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** Errors that tRPC itself raises, in this service's codes. */
const ownCodes: Partial<Record<TRPC_ERROR_CODE_KEY, ErrorCode>> = {
  PARSE_ERROR: 'VALIDATION_FAILED',
  BAD_REQUEST: 'VALIDATION_FAILED',
  NOT_FOUND: 'ROUTE_NOT_FOUND',
  METHOD_NOT_SUPPORTED: 'METHOD_NOT_ALLOWED',
  PAYLOAD_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
};

/** The tRPC face: the same operations under `/trpc`, one procedure for each row that takes and gives JSON. */
export function createTrpcFace(all: readonly Operation[], docsBase: string): TrpcFace {
  const operations = all.filter(({ row }) => row.media === 'json');
  const t = initTRPC.context<TrpcContext>().create({
    errorFormatter({ shape, error, ctx }) {
      const problem = problemOfTrpc(error);
      if (ctx) ctx.exchange.problem = problem;
      const document = problemDocument(problem, ctx?.exchange.requestId ?? '', docsBase);
      // tRPC would show its own stack outside production.
      return {
        ...shape,
        message: problem.message,
        data: { ...shape.data, stack: undefined, httpStatus: problem.status, problem: document },
      };
    },
  });

  const procedureOf = (operation: Operation) => {
    const procedure = t.procedure.use(({ ctx, getRawInput, next }) => next({ ctx: { ...ctx, getRawInput } }));
    const resolve = ({ ctx }: { ctx: TrpcContext & { getRawInput: () => Promise<unknown> } }) =>
      operation
        .run({
          authorization: ctx.request.headers.authorization,
          tenant: ctx.request.headers['x-tenant-id']?.toString(),
          onCaller: (caller) => (ctx.exchange.caller = caller),
          input: async () => flatInput(await ctx.getRawInput()),
        })
        .catch((cause: ProblemError) => {
          throw new TRPCError({ code: trpcCodes[cause.status] ?? 'INTERNAL_SERVER_ERROR', message: cause.message, cause });
        });
    return operation.row.method === 'GET' ? procedure.query(resolve) : procedure.mutation(resolve);
  };

  const router = t.router(treeOf(operations, procedureOf)) as AnyTRPCRouter;
  const byName = new Map(operations.map((operation) => [operation.name, operation]));

  return {
    async handle(request, exchange) {
      const path = decodePath(new URL(request.url ?? '', 'http://localhost').pathname.slice('/trpc/'.length));
      const operation = byName.get(path);
      if (operation) exchange.operation = operation;
      await nodeHTTPRequestHandler({
        req: request,
        res: exchange.response,
        path,
        router,
        maxBodySize: jsonLimit,
        createContext: () => ({ request, exchange }),
        responseMeta: ({ errors }) => (errors[0] ? { headers: problemHeaders(problemOfTrpc(errors[0]), exchange.hasToken) } : {}),
      });
    },
  };
}

function problemOfTrpc(error: TRPCError): ProblemError {
  if (error.cause instanceof ProblemError) return error.cause;
  return new ProblemError(ownCodes[error.code] ?? 'INTERNAL_ERROR', { cause: error });
}

/** One flat object stands for path, query and body; left out, it is empty. */
function flatInput(raw: unknown): { params: unknown; query: unknown; body: unknown } {
  const flat = raw ?? {};
  return { params: flat, query: flat, body: flat };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
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
