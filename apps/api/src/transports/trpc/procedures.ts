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
  /** Of a batch of several calls. */
  batchSize: BatchSize | undefined;
  /** Reads the body of the request once. */
  readBody(): Promise<unknown>;
}

export interface Procedures {
  router: AnyTRPCRouter;
  /** Runs work for an exchange: errors that tRPC raises before it creates the context belong to it too. */
  runFor<T>(exchange: Exchange, work: () => T): T;
}

/** One tRPC procedure for each operation that takes and returns JSON. */
export function createProcedures(operations: readonly Operation[], docsBase: string): Procedures {
  const current = new AsyncLocalStorage<Exchange>();
  const t = initTRPC.context<TrpcContext>().create({
    errorFormatter({ shape, error }) {
      const problem = problemOfTrpc(error);
      const exchange = current.getStore();
      // A client that went away gets no response: its call did not fail.
      if (exchange && !isAbort(exchange, error)) exchange.problem = problem;
      const document = problemDocument(problem, exchange?.requestId ?? '', docsBase);
      // Outside production tRPC would show a stack.
      return {
        ...shape,
        message: problem.message,
        data: { ...shape.data, stack: undefined, httpStatus: problem.status, problem: document },
      };
    },
  });

  const procedureOf = (operation: Operation) => {
    const isQuery = operation.endpoint.method === 'GET';
    // The middleware alone knows the raw input and the place in the batch.
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
    router: t.router(treeOf(operations, procedureOf)) as AnyTRPCRouter,
    runFor: (exchange, work) => current.run(exchange, work),
  };
}

async function call(
  operation: Operation,
  { exchange, batchSize, largeOutputs }: TrpcContext,
  readInput: TrpcCall['readInput'],
): Promise<unknown> {
  const context = operation.createContext(new TrpcCall(exchange, batchSize, readInput));
  exchange.add(context);
  const { body } = await operation.run(context);
  batchSize?.add(body, operation.endpoint.method !== 'GET');
  return largeOutputs.replace(body);
}

const isAbort = ({ isAborted, signal }: Exchange, { cause }: Error): boolean => isAborted && cause === signal.reason;

/** `users.create` becomes `{ users: { create } }`. */
function treeOf<P>(operations: readonly Operation[], procedureOf: (operation: Operation) => P): Record<string, never> {
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
