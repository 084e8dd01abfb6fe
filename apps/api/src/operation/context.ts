import { activeTenantId, type Caller, type Claims } from '@profile-service/auth';
import type { Endpoint } from '@profile-service/contracts';
import type { HandlerDatabase, ScopedDatabase } from '@profile-service/db';
import type { Logger } from 'pino';
import type { Services, Transaction } from '../handler/handler.ts';
import type { Call } from './call.ts';
import type { Input, RawInput } from './input.ts';

/** What an operation returns to its transport. */
export interface Result {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The output as the endpoint declares it, an `EncodedJson` when it is large; undefined when there is none, or when a file was sent. */
  body: unknown;
}

/** The input field that must name the caller's active tenant. */
export interface OwnTenant {
  field: string;
  tenantId: string;
}

/** The state of one call while it passes the steps. Each step reads what the steps before it have set. */
export class RequestContext {
  readonly operation: string;
  readonly endpoint: Endpoint;
  readonly call: Call;
  readonly headers: Record<string, string> = {};
  /** Of the verified token. */
  claims!: Claims;
  caller!: Caller;
  ownTenant: OwnTenant | null = null;
  rawInput!: RawInput;
  input!: Input;
  /** What the handler returned; after the last step, the output as the endpoint declares it. */
  output: unknown;

  // What handlers use. The steps that open the database set the first four.
  db!: HandlerDatabase;
  scoped!: ScopedDatabase;
  invalidateCallers!: Transaction['invalidateCallers'];
  afterCommit!: Transaction['afterCommit'];
  transaction!: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
  readonly identity: Services['identity'];
  readonly jobs: Services['jobs'];
  readonly attachmentFiles: Services['attachmentFiles'];

  readonly #log: Logger;
  #ownLog: Logger | undefined;

  constructor(operation: string, endpoint: Endpoint, call: Call, services: Services, log: Logger) {
    this.operation = operation;
    this.endpoint = endpoint;
    this.call = call;
    this.identity = services.identity;
    this.jobs = services.jobs;
    this.attachmentFiles = services.attachmentFiles;
    this.#log = log;
  }

  get requestId(): string {
    return this.call.requestId;
  }

  get activeTenant(): string | null {
    return activeTenantId(this.caller);
  }

  /** Aborted when the client goes away before it has its response. */
  get signal(): AbortSignal {
    return this.call.signal;
  }

  /** Its lines carry the operation and the request id. */
  get log(): Logger {
    return (this.#ownLog ??= this.#log.child({ operation: this.operation, requestId: this.requestId }));
  }

  /** Sets a response header. The endpoint declares it. @param name in lower case */
  setHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
}
