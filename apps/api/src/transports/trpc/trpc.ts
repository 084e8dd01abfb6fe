import { ProblemError } from '@profile-service/contracts';
import { validationFailed } from '../../request/validation-failed.ts';
import type { Tracing } from '../../observability/tracing/tracing.ts';
import type { Call } from '../../request/call.ts';
import type { Operation } from '../../request/operation.ts';
import { problemOf } from '../../request/problem.ts';
import type { LimitAddress } from '../http/address-limit.ts';
import type { Exchange } from '../http/exchange.ts';
import { type BatchSize, createBatchSize } from './batch-size.ts';
import { TrpcCall } from './call.ts';
import { encodeProblem } from './errors.ts';
import { Inputs } from './inputs.ts';
import { createProcedures, isQuery, maxBodyBytesOf, parseCalls, type ProcedureCall, requireOperation } from './procedures.ts';
import { type Format, sendResults } from './response.ts';
import { byteLength, type CallResult, encodeOutput, withEntityTag } from './results.ts';

const prefix = '/trpc/';
const methods = ['GET', 'HEAD', 'POST'];

/** What the calls of a request share. */
interface Shared {
  exchange: Exchange;
  inputs: Inputs;
  /** Set if the address exceeds its rate limit. */
  limited: ProblemError | undefined;
  /** Undefined unless the request is a batch of several calls. */
  batchSize: BatchSize | undefined;
}

/**
 * Creates the tRPC transport: it serves the operations that exchange JSON under `/trpc`, in the protocol of tRPC 11. It applies the rate limit of the address
 * itself, because a batch counts as many requests as it has calls, and the 429 response has tRPC's format.
 * @param docsBase URL of the service, for the `type` of problem documents
 * @param tracing undefined if tracing is off
 */
export function createTrpcTransport(
  operations: readonly Operation[],
  docsBase: string,
  limitAddress: LimitAddress,
  tracing: Pick<Tracing, 'inProcedure'> | undefined,
): (exchange: Exchange) => Promise<void> {
  const procedures = createProcedures(operations);

  return async (exchange) => {
    const { method = '', headers, url = '' } = exchange.request;
    let limited = count(exchange, 1);
    if (!methods.includes(method)) {
      exchange.setHeader('allow', methods.join(', '));
      throw new ProblemError('METHOD_NOT_ALLOWED');
    }
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const path = pathname.slice(prefix.length);
    exchange.operation = procedures.get(path);
    if (method === 'HEAD') return exchange.send(204);

    const [batch, ...otherBatches] = searchParams.getAll('batch');
    const isBatch = batch === '1';
    const acceptsLines = headers['trpc-accept'] === 'application/jsonl';
    let calls: ProcedureCall[];
    try {
      if (otherBatches.length > 0) throw validationFailed('batch', 'Given more than once');
      calls = parseCalls(path, isBatch, procedures);
      if (acceptsLines && !isBatch) throw validationFailed('', 'Streaming requests must be batched (you can do a batch of 1)');
    } catch (error) {
      return sendResults(exchange, 'single', [failed(exchange, error)]);
    }
    const others = calls.length - 1;
    if (others > 0) limited ??= count(exchange, others);
    const batchSize = others > 0 ? createBatchSize() : undefined;
    const inputs = new Inputs({ request: exchange.request, search: searchParams, isBatch, maxBodyBytes: maxBodyBytesOf(calls) });
    const shared = { exchange, inputs, limited, batchSize };
    const results = await Promise.all(calls.map((call, index) => run(call, index, shared)));
    const format: Format = !isBatch ? 'single' : acceptsLines ? 'lines' : 'batch';
    if (!exchange.isAborted) sendResults(exchange, format, results);
  };

  /** Counts requests against the rate limit of the address. @returns the problem if the address exceeds it */
  function count(exchange: Exchange, requests: number): ProblemError | undefined {
    try {
      limitAddress(exchange, requests);
      return undefined;
    } catch (error) {
      return problemOf(error);
    }
  }

  /** Runs a call. Never rejects. @param index position of the call in the batch */
  async function run(call: ProcedureCall, index: number, { exchange, inputs, limited, batchSize }: Shared): Promise<CallResult> {
    try {
      if (limited) throw limited;
      const operation = requireOperation(call, exchange.request.method);
      const readInput: Call['readInput'] = (parseInTurn) =>
        isQuery(operation) ? inputs.ofQuery(index) : inputs.ofMutation(index, parseInTurn);
      const context = operation.createContext(new TrpcCall(exchange, batchSize, readInput));
      exchange.addContext(context);
      const { headers, body } = await (tracing
        ? tracing.inProcedure(operation.name, () => operation.run(context))
        : operation.run(context));
      const json = encodeOutput(withEntityTag(body, headers['etag']));
      batchSize?.add(byteLength(json), !isQuery(operation));
      return { json };
    } catch (error) {
      return failed(exchange, error, call.path);
    }
  }

  function failed({ requestId }: Exchange, error: unknown, path?: string): CallResult {
    const problem = problemOf(error);
    return { problem, json: [encodeProblem(problem, path, requestId, docsBase)] };
  }
}
