import type { Endpoint, NamedEndpoint } from '@profile-service/contracts';
import type { AnyHandler } from './handler.ts';
import type { Call } from './call.ts';
import { type ContextOptions, RequestContext, type OperationResult } from './context.ts';
import { problemOf } from './problem.ts';
import type { RecordRefusal } from './record-refusal.ts';
import { runSteps } from './run.ts';
import { type StepDependencies, stepsOf } from './steps.ts';

/** An endpoint with its steps. All transports run the same operations. */
export interface Operation {
  /** The procedure's name, such as `users.create`. */
  readonly name: string;
  readonly endpoint: Endpoint;
  createContext(call: Call): RequestContext;
  /** Runs the steps. Throws a ProblemError with a code that the endpoint declares, or the reason of the abort if the client has disconnected. */
  run(context: RequestContext): OperationResult | Promise<OperationResult>;
}

export interface OperationOptions extends StepDependencies, ContextOptions {
  recordRefusal: RecordRefusal;
  /** Called after each run, for the metrics. The status is 499 if the client has disconnected. */
  onDone(operation: string, status: number, seconds: number): void;
}

/** The status that nginx logs for a request whose client has disconnected. It is never sent. */
const clientClosedRequest = 499;

/** Composes the steps of an endpoint once, at start. */
export function createOperation({ name, endpoint }: NamedEndpoint, handler: AnyHandler, options: OperationOptions): Operation {
  const steps = stepsOf(endpoint, handler, options);
  const { onDone, recordRefusal } = options;

  const finish = (context: RequestContext, startedAt: number): OperationResult => {
    onDone(name, context.status, (performance.now() - startedAt) / 1000);
    return { status: context.status, headers: context.headers, body: context.output };
  };
  const fail = (thrown: unknown, context: RequestContext, startedAt: number): Promise<never> => {
    const isAborted = thrown !== undefined && thrown === context.abort.reason;
    const problem = isAborted ? undefined : problemOf(thrown, endpoint);
    const rejectWith: () => never = () => {
      onDone(name, problem?.status ?? clientClosedRequest, (performance.now() - startedAt) / 1000);
      throw problem ?? thrown;
    };
    const recording = problem && recordRefusal(context, problem);
    return recording ? recording.then(() => rejectWith()) : rejectWith();
  };

  return {
    name,
    endpoint,
    createContext: (call) => new RequestContext(name, endpoint, call, options),
    run(context) {
      const startedAt = performance.now();
      try {
        const pending = runSteps(context, steps);
        if (!pending) return finish(context, startedAt);
        return pending.then(
          () => finish(context, startedAt),
          (error: unknown) => fail(error, context, startedAt),
        );
      } catch (error) {
        return fail(error, context, startedAt);
      }
    },
  };
}
