import { AsyncLocalStorage } from 'node:async_hooks';
import { type AnyTRPCRouter, initTRPC } from '@trpc/server';
import type { Operation } from '../../operation/operation.ts';
import { problemDocument } from '../../operation/problem.ts';
import type { Exchange } from '../http/exchange.ts';
import type { BatchSize } from './batch-size.ts';
import { TrpcCall } from './call.ts';
import { problemOfTrpc, throwAsTrpc } from './errors.ts';
import { readMutationInput, readQueryInput } from './input.ts';
import type { LargeOutputs } from './large-outputs.ts';

export interface TrpcContext {
  exchange: Exchange;
  isBatch: boolean;
  largeOutputs: LargeOutputs;
  /** Undefined unless the request is a batch of several calls. */
  batchSize: BatchSize | undefined;
  /** Reads the body of the request. Later calls return the same body. */
  readBody(): Promise<unknown>;
}

export interface Procedures {
  router: AnyTRPCRouter;
  /** Runs work with the exchange as its async context, so that the error formatter finds it even before tRPC has created its context. */
  runWith<T>(exchange: Exchange, work: () => T): T;
}

/** Creates a tRPC procedure for each operation. Operations with files have none. */
export function createProcedures(operations: readonly Operation[], docsBase: string): Procedures {
  const current = new AsyncLocalStorage<Exchange>();
  const t = initTRPC.context<TrpcContext>().create({
    errorFormatter({ shape, error }) {
      const problem = problemOfTrpc(error);
      const exchange = current.getStore();
      // The client has disconnected: its call was aborted and did not fail.
      if (exchange && !isAbort(exchange, error)) exchange.problem = problem;
      const document = problemDocument(problem, exchange?.requestId ?? '', docsBase);
      // Outside production tRPC would send the stack.
      return {
        ...shape,
        message: problem.message,
        data: { ...shape.data, stack: undefined, httpStatus: problem.status, problem: document },
      };
    },
  });

  const procedureOf = (operation: Operation) => {
    const isQuery = operation.endpoint.method === 'GET';
    // Only a middleware gets the raw input and the position in the batch.
    const procedure = t.procedure.use(async ({ ctx, getRawInput, batchIndex, next }) => {
      const readInput = () =>
        isQuery ? readQueryInput(getRawInput) : readMutationInput(ctx.readBody, ctx.isBatch ? batchIndex : undefined);
      const output = await call(operation, ctx, readInput).catch(throwAsTrpc);
      return next({ ctx: { ...ctx, output } });
    });
    const resolve = ({ ctx }: { ctx: { output: unknown } }) => ctx.output;
    return isQuery ? procedure.query(resolve) : procedure.mutation(resolve);
  };

  return {
    router: t.router(nestByName(operations, procedureOf)) as AnyTRPCRouter,
    runWith: (exchange, work) => current.run(exchange, work),
  };
}

async function call(
  operation: Operation,
  { exchange, batchSize, largeOutputs }: TrpcContext,
  readInput: TrpcCall['readInput'],
): Promise<unknown> {
  const context = operation.createContext(new TrpcCall(exchange, batchSize, readInput));
  exchange.addContext(context);
  const { body } = await operation.run(context);
  batchSize?.add(body, operation.endpoint.method !== 'GET');
  return largeOutputs.replace(body);
}

const isAbort = ({ abort }: Exchange, { cause }: Error): boolean => abort.reason !== undefined && cause === abort.reason;

/** Nests procedures by the parts of their names: `users.create` becomes `{ users: { create } }`. */
function nestByName<P>(operations: readonly Operation[], procedureOf: (operation: Operation) => P): Record<string, never> {
  const tree: Record<string, unknown> = {};
  for (const operation of operations) {
    const keys = operation.name.split('.');
    const last = keys.pop() ?? '';
    let branch = tree;
    for (const key of keys) branch = (branch[key] ??= {}) as Record<string, unknown>;
    branch[last] = procedureOf(operation);
  }
  return tree as Record<string, never>;
}
