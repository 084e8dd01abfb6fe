import type { Hash } from 'node:crypto';
import type { Caller, Claims } from '@profile-service/auth';
import type { Endpoint } from '@profile-service/contracts';
import type { EncodeRow, HandlerDatabase, ScopedDatabase } from '@profile-service/db';
import type { Logger } from 'pino';
import type { HandlerDependencies, Transaction } from './handler.ts';
import type { RateLimitStatus } from './limits/rate-limit.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import type { Call } from './call.ts';
import type { EntityTags } from './entity-tags.ts';
import type { Input, RawInput } from './input.ts';
import type { RequestAbort } from './request-abort.ts';

/** The result of an operation, which its transport sends. */
export interface OperationResult {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The output, an `EncodedJson` if it is large; undefined if the endpoint declares no output or has sent a file. */
  body: unknown;
}

/** An input field that must equal the caller's active tenant. */
export interface OwnTenant {
  field: string;
  tenantId: string;
}

/** What all calls share. */
export interface ContextOptions {
  handlerDependencies: HandlerDependencies;
  log: Logger;
  /** Undefined if tracing is off. */
  tracing?: Pick<Tracing, 'inSpan'> | undefined;
}

/** The state of one call of an operation. Each step reads what earlier steps have set. */
export class RequestContext {
  readonly operation: string;
  readonly endpoint: Endpoint;
  readonly call: Call;
  /** Undefined if tracing is off. */
  readonly tracing: Pick<Tracing, 'inSpan'> | undefined;
  readonly headers: Record<string, string> = {};
  /** The claims of the verified token. */
  claims!: Claims;
  caller!: Caller;
  /** The strictest rate limit that was applied. The response describes it. */
  rateLimit: RateLimitStatus | undefined;
  /** Set if the caller may call the endpoint only for the active tenant. */
  ownTenant: OwnTenant | null = null;
  /** The input before validation. */
  rawInput!: RawInput;
  input!: Input;
  /** The versions of the record for which the call may change it. Undefined if the call is not conditional. */
  ifMatch: EntityTags | undefined;
  idempotencyKey: string | undefined;
  /** Hash of the file of an upload that has an idempotency key. */
  fileHash: Hash | undefined;
  /** Called in each transaction of a handler that owns its transaction, with what its work returned. */
  storeOutput: ((transaction: Transaction, output: unknown) => Promise<void>) | undefined;
  /** Whether the call has held a database slot or stored a file: then it waits for further slots, also while the service is overloaded. */
  hasStarted = false;
  /** The status of the result. */
  status: number;
  /** The handler's return value; after the last step, the output that the endpoint declares. */
  output: unknown;

  /** For the handlers of lists without pages. */
  encodeRow!: EncodeRow;
  // For handlers. The steps that open the database or a transaction set the first five.
  db!: HandlerDatabase;
  scoped!: ScopedDatabase;
  invalidateCallers!: Transaction['invalidateCallers'];
  afterCommit!: Transaction['afterCommit'];
  /** The transaction in which the steps run. */
  openTransaction!: Transaction;
  transaction!: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
  readonly identity: HandlerDependencies['identity'];
  readonly jobs: HandlerDependencies['jobs'];
  readonly attachmentFiles: HandlerDependencies['attachmentFiles'];

  readonly #log: Logger;
  #childLog: Logger | undefined;

  constructor(operation: string, endpoint: Endpoint, call: Call, { handlerDependencies: dependencies, log, tracing }: ContextOptions) {
    this.operation = operation;
    this.endpoint = endpoint;
    this.tracing = tracing;
    this.status = endpoint.success;
    this.call = call;
    this.identity = dependencies.identity;
    this.jobs = dependencies.jobs;
    this.attachmentFiles = dependencies.attachmentFiles;
    this.#log = log;
  }

  /** Whether the user or the application is known. */
  get hasCaller(): boolean {
    return (this.caller as Caller | undefined) !== undefined;
  }

  get requestId(): string {
    return this.call.requestId;
  }

  get abort(): RequestAbort {
    return this.call.abort;
  }

  /** A log whose lines have the operation and the request id. Created when first used. */
  get log(): Logger {
    return (this.#childLog ??= this.#log.child({ operation: this.operation, requestId: this.requestId }));
  }

  /** Sets a response header, which the endpoint must declare. @param name in lower case */
  setHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
}
