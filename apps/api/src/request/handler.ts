import { type Access, type Endpoint, isEndpoint, type Media, type RecordType } from '@profile-service/contracts';
import type { Caller, IdentityProvider, ServiceCaller, UserCaller } from '@profile-service/auth';
import type { EncodedRows, EncodeRow } from '@profile-service/db';
import type { Logger } from 'pino';
import type { AttachmentFiles, Download, IncomingFile, StagedFile } from './files.ts';
import type { JobQueue } from './job-queue.ts';
import type { Transaction } from './transaction.ts';

export type { Transaction };

/** What handlers use besides the database. */
export interface HandlerDependencies {
  identity: IdentityProvider;
  jobs: JobQueue;
  attachmentFiles: AttachmentFiles;
}

/** The argument of a handler. In a write, `db` and `scoped` belong to the transaction of the request. */
export interface HandlerContext<Input, C extends Caller = Caller> extends Transaction, HandlerDependencies {
  readonly operation: string;
  readonly requestId: string;
  readonly log: Logger;
  input: Input;
  caller: C;
  /** Converts a row to the declared JSON. Only for endpoints that return a list without pages. */
  readonly encodeRow: EncodeRow;
  /** Runs work in a transaction of its own. Only for handlers marked `ownsTransaction`. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

type CallerOf<A extends Access> = A extends { kind: 'service' } ? ServiceCaller : UserCaller;

/** The type of an endpoint's handler. */
export type HandlerOf<E extends Endpoint> =
  E extends Endpoint<infer M, infer A, unknown, infer Input, infer Returned, unknown, infer F, infer V>
    ? Handler<Input & FileOf<F>, CallerOf<A>, ReturnedOf<F, Versioned<M, V, Returned>>> & ReceiverOf<F>
    : never;

type FileOf<F extends Media> = F extends 'upload' ? { file: StagedFile } : unknown;
/** A handler returns the version for the ETag beside the declared output. */
type Versioned<M, V, Returned> = V extends RecordType
  ? M extends 'DELETE'
    ? Returned
    : (Returned extends object ? Returned : unknown) & { version: number }
  : Returned;
type ReturnedOf<F extends Media, Returned> = F extends 'download' ? Download : ListOf<Returned>;
/** A list without pages may have been encoded. */
type ListOf<Returned> = Returned extends { data: (infer Row)[] }
  ? keyof Returned extends 'data'
    ? Returned | { data: EncodedRows<Row> }
    : Returned
  : Returned;
type ReceiverOf<F extends Media> = F extends 'upload' ? { receive: Receive } : unknown;

/** The input of the endpoint's handler. */
export type InputOf<E extends Endpoint> = E extends Endpoint<infer _M, infer _A, unknown, infer Input> ? Input : never;

/** Stores the incoming file of an upload. */
type Receive = (file: IncomingFile, dependencies: HandlerDependencies) => Promise<StagedFile>;

interface Handler<Input, C extends Caller, Returned> {
  (context: HandlerContext<Input, C>): Promise<Returned>;
  ownsTransaction?: true;
  receive?: Receive;
  precheck?: (context: HandlerContext<Input, C>) => Promise<unknown>;
}

type HandlersOf<Tree> = { [K in keyof Tree]: Tree[K] extends Endpoint ? HandlerOf<Tree[K]> : HandlersOf<Tree[K]> };

/** A handler of any endpoint. Its types are erased, because the endpoint's schemas check input and output. */
export type AnyHandler = Handler<never, never, unknown>;
export type Implementation = ReadonlyMap<Endpoint, AnyHandler>;

/** Declares the handlers of a branch of the contract. A handler that is missing or has the wrong type does not compile. */
export const implement = <Tree extends object>(_endpoints: Tree, handlers: HandlersOf<Tree>): HandlersOf<Tree> => handlers;

/** Maps each endpoint of the contract to its handler. */
export function bind<Tree extends object>(tree: Tree, handlers: HandlersOf<Tree>): Implementation {
  const bound = new Map<Endpoint, AnyHandler>();
  for (const [key, node] of Object.entries(tree) as [string, object][]) {
    const handler = (handlers as Record<string, unknown>)[key];
    if (isEndpoint(node)) bound.set(node, handler as AnyHandler);
    else for (const [endpoint, inner] of bind(node, handler as never)) bound.set(endpoint, inner);
  }
  return bound;
}

/**
 * Marks a handler that opens its own transaction: one that calls the identity provider or the storage, because no transaction may span such a call, or the
 * handler of a GET that writes. It always uses the primary database.
 */
export function ownsTransaction<H extends AnyHandler>(handler: H): H {
  handler.ownsTransaction = true;
  return handler;
}

/**
 * Adds a check that runs before a condition of the request is decided: whether the version in If-Match is current. It throws the 403s and 404s that come
 * before that, and takes the locks that the handler takes before that of the record. Without a condition it does not run, so the handler checks and locks too.
 */
export function withPrecheck<H extends AnyHandler>(precheck: NonNullable<H['precheck']>, handler: H): H {
  handler.precheck = precheck;
  return handler;
}

/**
 * Creates the handler of an upload. `receive` stores the file while it arrives. The handler runs after the whole form has arrived, and owns its
 * transaction.
 */
export function upload<H extends AnyHandler>(receive: Receive, handler: H): H & { receive: Receive } {
  return Object.assign(ownsTransaction(handler), { receive });
}
