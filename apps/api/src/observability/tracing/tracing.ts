import type { DatabaseObserver } from '@profile-service/db';

/** What a trace says about a request. */
export interface TracedRequest {
  method: string;
  /** The version of HTTP, such as `1.1`. */
  protocolVersion: string;
  /** The header `traceparent` as received. */
  traceparent: string | undefined;
}

/** What a trace says about a response. */
export interface TracedResponse {
  /** The path with the names of its parameters. Undefined if no endpoint matches. */
  route: string | undefined;
  /** Undefined if the client disconnected before it had its response. */
  status: number | undefined;
  /** The error code of the problem. */
  code: string | undefined;
}

/** The span of a request. */
export interface RequestSpan {
  /** Runs work of the request with the span as the active one. */
  run(work: () => void): void;
  end(response: TracedResponse): void;
}

/** Traces of OpenTelemetry. The attributes of spans contain no personal data, no ids and no values of records. */
export interface Tracing {
  startRequest(request: TracedRequest): RequestSpan;
  /** Runs the work in a child span of the active span; without an active span, only runs the work. Records the code of an error that the work throws. */
  inSpan<T>(name: string, work: () => T): T;
  /** Runs a call of a procedure in a child span. */
  inProcedure<T>(name: string, work: () => T): T;
  /** Returns a function that runs calls of another server in child spans. @param server name of the server in the attributes and in the metrics */
  callsOf(server: string): <T>(operation: string, work: () => T) => T;
  /** Runs a job in a trace of its own. @param addedBy the `traceparent` of the request that has added the job */
  inJob<T>(name: string, addedBy: string | undefined, work: () => T): T;
  /** The active span as a value of the header `traceparent`. Undefined without one. */
  traceparent(): string | undefined;
  /** Creates an observer that makes a span of each statement. @param connectionString tells the server and the database */
  databaseObserver(connectionString: string): DatabaseObserver;
  /** Exports the spans that have ended. Takes at most 2 seconds. */
  close(): Promise<void>;
}
