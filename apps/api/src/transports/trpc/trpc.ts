import { ProblemError } from '@profile-service/contracts';
import type { Request, RequestHandler, Response } from 'express';
import { validationFailed } from '../../request/validation-failed.ts';
import type { Tracing } from '../../observability/tracing/tracing.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import type { Operation } from '../../request/operation.ts';
import { problemOf } from '../../request/problem.ts';
import type { LimitAddress } from '../http/address-limit.ts';
import type { HttpContext } from '../http/context.ts';
import { splitTarget } from '../http/request-target.ts';
import { send } from '../http/send.ts';
import { type BatchSize, createBatchSize } from './batch-size.ts';
import { TrpcRequest } from './trpc-request.ts';
import { errorOf } from './errors.ts';
import { Inputs } from './inputs.ts';
import {
  createProcedures,
  isQuery,
  isSubscription,
  maxBodyBytesOf,
  parseCalls,
  type ProcedureCall,
  requireOperation,
} from './procedures.ts';
import { type Format, sendResults } from './response.ts';
import { byteLength, type CallResult, encodeOutput, withEntityTag } from './results.ts';
import { lastEventIdOf, openSubscription, sendSubscriptionError } from './subscription.ts';

const prefix = '/trpc/';
const methods = ['GET', 'HEAD', 'POST'];

/** What the calls of a request share. */
interface Shared {
  request: Request;
  context: HttpContext;
  inputs: Inputs;
  /** Set if the address exceeds its rate limit. */
  limited: ProblemError | undefined;
  /** Undefined unless the request is a batch of several calls. */
  batchSize: BatchSize | undefined;
}

/**
 * Creates the middleware of tRPC: it serves the operations that exchange JSON under `/trpc`, in the protocol of tRPC 11. It applies the rate limit of the address
 * itself, because a batch counts as many requests as it has calls, and the 429 response has tRPC's format.
 * @param docsBase URL of the service, for the `type` of problem documents
 * @param tracing undefined if tracing is off
 */
export function createTrpc(
  operations: readonly Operation[],
  docsBase: string,
  limitAddress: LimitAddress,
  tracing: Pick<Tracing, 'inProcedure'> | undefined,
): RequestHandler {
  const procedures = createProcedures(operations);

  return (request, response, next) => (request.url.startsWith(prefix) ? respond(request, response) : next());

  async function respond(request: Request, response: Response): Promise<void> {
    const { method, headers, url } = request;
    const { context } = response.locals;
    let limited = count(request, context, 1);
    if (limited && method !== 'GET' && method !== 'POST') throw limited;
    if (!methods.includes(method)) {
      response.setHeader('allow', methods.join(', '));
      throw new ProblemError('METHOD_NOT_ALLOWED');
    }
    const target = splitTarget(url);
    const path = target.path.slice(prefix.length);
    context.operation = procedures.get(path);
    if (method === 'HEAD') return send(response, 204);

    const search = new URLSearchParams(target.search);
    const [batch, ...otherBatches] = search.getAll('batch');
    const isBatch = batch === '1';
    const acceptsLines = headers['trpc-accept'] === 'application/jsonl';
    let calls: ProcedureCall[];
    try {
      if (otherBatches.length > 0) throw validationFailed('batch', 'Given more than once');
      calls = parseCalls(path, isBatch, procedures);
      if (acceptsLines && !isBatch) throw validationFailed('', 'Streaming requests must be batched (you can do a batch of 1)');
    } catch (error) {
      return sendResults(response, 'single', [failed(context, limited ?? error)]);
    }
    const [{ operation }] = calls as [ProcedureCall];
    if (operation && isSubscription(operation)) return subscribe(operation, request, response, search, limited);
    const others = calls.length - 1;
    if (others > 0) limited ??= count(request, context, others);
    const batchSize = others > 0 ? createBatchSize() : undefined;
    const inputs = new Inputs({ request, search, isBatch, maxBodyBytes: maxBodyBytesOf(calls) });
    const shared = { request, context, inputs, limited, batchSize };
    const results = await Promise.all(calls.map((call, index) => run(call, index, shared)));
    const format: Format = !isBatch ? 'single' : acceptsLines ? 'lines' : 'batch';
    if (!context.isAborted) sendResults(response, format, results);
  }

  /** Runs a subscription. Its errors are messages of the stream, because `EventSource` does not show the body of an error. */
  async function subscribe(
    operation: Operation,
    request: Request,
    response: Response,
    search: URLSearchParams,
    limited: ProblemError | undefined,
  ): Promise<void> {
    const { context } = response.locals;
    const inputs = new Inputs({ request, search, isBatch: false, maxBodyBytes: 0 });
    const readInput = () => ({ ...inputs.ofQuery(0), ...lastEventIdOf(request, search) });
    try {
      if (limited) throw limited;
      if (request.method !== 'GET') throw new ProblemError('METHOD_NOT_ALLOWED');
      const call = operation.createContext(new TrpcRequest(request, context, undefined, readInput, () => openSubscription(response)));
      context.calls.push(call);
      await operation.run(call);
    } catch (error) {
      if (context.isAborted) return;
      const problem = (context.problem = problemOf(error));
      sendSubscriptionError(response, problem, errorOf(problem, operation.name, context.requestId, docsBase));
    }
  }

  /** Counts requests against the rate limit of the address. @returns the problem if the address exceeds it */
  function count(request: Request, context: HttpContext, requests: number): ProblemError | undefined {
    try {
      limitAddress(request, context, requests);
      return undefined;
    } catch (error) {
      return problemOf(error);
    }
  }

  /** Runs a call. Never rejects. @param index position of the call in the batch */
  async function run(call: ProcedureCall, index: number, { request, context, inputs, limited, batchSize }: Shared): Promise<CallResult> {
    try {
      if (limited) throw limited;
      const operation = requireOperation(call, request.method);
      const readInput: ApiRequest['readInput'] = (parseLargeBody) =>
        isQuery(operation) ? inputs.ofQuery(index) : inputs.ofMutation(index, parseLargeBody);
      const callContext = operation.createContext(new TrpcRequest(request, context, batchSize, readInput));
      context.calls.push(callContext);
      const { headers, body } = await (tracing
        ? tracing.inProcedure(operation.name, () => operation.run(callContext))
        : operation.run(callContext));
      const json = encodeOutput(withEntityTag(body, headers['etag']));
      batchSize?.add(byteLength(json), !isQuery(operation));
      return { json };
    } catch (error) {
      return failed(context, error, call.path);
    }
  }

  function failed({ requestId }: HttpContext, error: unknown, path?: string): CallResult {
    const problem = problemOf(error);
    return { problem, json: [JSON.stringify({ error: errorOf(problem, path, requestId, docsBase) })] };
  }
}
