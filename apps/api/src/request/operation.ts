import type { Endpoint, NamedEndpoint } from '@profile-service/contracts';
import type { ApiRequest } from './api-request.ts';
import { compileEndpoint } from './compiled-endpoint.ts';
import { type ContextOptions, RequestContext } from './context.ts';
import type { RequestDependencies } from './dependencies.ts';
import type { AnyHandler } from './handler.ts';
import { problemOf } from './problem.ts';
import type { RecordRefusal } from './record-refusal.ts';
import { createRun } from './requests.ts';
import type { OperationResult } from './response.ts';

/** An endpoint with its steps. All transports run the same operations. */
export interface Operation {
  /** The procedure's name, such as `users.create`. */
  readonly name: string;
  readonly endpoint: Endpoint;
  createContext(request: ApiRequest): RequestContext;
  /** Runs the steps. Throws a ProblemError with a code that the endpoint declares, or the reason of the abort if the client has disconnected. */
  run(context: RequestContext): Promise<OperationResult>;
}

export interface OperationOptions extends RequestDependencies, ContextOptions {
  recordRefusal: RecordRefusal;
  /** Called after each run, for the metrics. The status is 499 if the client has disconnected. */
  onDone(operation: string, status: number, seconds: number): void;
}

/** The status that nginx logs for a request whose client has disconnected. It is never sent. */
const clientClosedRequest = 499;

/** Creates the operation of an endpoint, once at the start. */
export function createOperation({ name, endpoint }: NamedEndpoint, handler: AnyHandler, options: OperationOptions): Operation {
  const run = createRun(compileEndpoint(endpoint, handler), options);
  const { onDone, recordRefusal } = options;
  return {
    name,
    endpoint,
    createContext: (request) => new RequestContext(name, endpoint, request, options),
    async run(context) {
      const startedAt = performance.now();
      const done = (status: number) => onDone(name, status, (performance.now() - startedAt - context.waitedMs) / 1000);
      try {
        const response = await run(context);
        done(response.status);
        return response;
      } catch (thrown) {
        const isAborted = thrown !== undefined && thrown === context.request.abort.reason;
        const problem = isAborted ? undefined : problemOf(thrown, endpoint);
        if (problem) await recordRefusal(context, problem);
        done(problem?.status ?? clientClosedRequest);
        throw problem ?? thrown;
      }
    },
  };
}
