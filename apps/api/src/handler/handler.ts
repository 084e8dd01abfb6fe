import { type Access, type Endpoint, isEndpoint, type Media } from '@profile-service/contracts';
import type { Caller, ServiceCaller, UserCaller } from '@profile-service/auth';
import type { CallerInvalidation, HandlerDatabase, ScopedDatabase } from '@profile-service/db';
import type { Logger } from 'pino';
import type { IdentityProvider } from '../integrations/identity-provider/identity-provider.ts';
import type { AttachmentFiles, Download, IncomingFile, StagedFile } from './files.ts';
import type { JobQueue } from './job-queue.ts';

/** The parts of the service that handlers use beside the database. */
export interface Services {
  identity: IdentityProvider;
  jobs: JobQueue;
  attachmentFiles: AttachmentFiles;
}

/** One database transaction. */
export interface Transaction {
  /** Has no access to the scoped tables except through `scoped`. */
  db: HandlerDatabase;
  scoped: ScopedDatabase;
  /** Names the callers whose cached rights this transaction changes. All instances are notified with the commit. */
  invalidateCallers(invalidation: CallerInvalidation): void;
  /** Runs the effect after the commit: for effects outside the database. */
  afterCommit(effect: () => void): void;
}

/** What a handler receives. In a write, `db` and `scoped` belong to the transaction of the request. */
export interface HandlerContext<Input, C extends Caller = Caller> extends Transaction, Services {
  readonly operation: string;
  readonly requestId: string;
  readonly log: Logger;
  /** Aborted when the client goes away before it has its response. */
  readonly signal: AbortSignal;
  input: Input;
  caller: C;
  /** Opens a transaction: for handlers marked `ownsTransaction`, and for a GET that has to write. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

type CallerOf<A extends Access> = A extends { kind: 'service' } ? ServiceCaller : UserCaller;

export type HandlerOf<E extends Endpoint> =
  E extends Endpoint<infer _M, infer A, unknown, infer Input, infer Returned, unknown, infer F>
    ? Handler<Input & FileOf<F>, CallerOf<A>, ReturnedOf<F, Returned>> & ReceiverOf<F>
    : never;

type FileOf<F extends Media> = F extends 'upload' ? { file: StagedFile } : unknown;
type ReturnedOf<F extends Media, Returned> = F extends 'download' ? Download : Returned;
type ReceiverOf<F extends Media> = F extends 'upload' ? { receive: Receive } : unknown;

/** The input of the endpoint's handler. */
export type InputOf<E extends Endpoint> = E extends Endpoint<infer _M, infer _A, unknown, infer Input> ? Input : never;

/** Stores the incoming file of an upload. */
type Receive = (file: IncomingFile, services: Services) => Promise<StagedFile>;

interface Handler<Input, C extends Caller, Returned> {
  (context: HandlerContext<Input, C>): Promise<Returned>;
  ownsTransaction?: true;
  receive?: Receive;
}

type HandlersOf<Tree> = { [K in keyof Tree]: Tree[K] extends Endpoint ? HandlerOf<Tree[K]> : HandlersOf<Tree[K]> };

/** A handler as the operation sees it: the schemas of the endpoint guarantee the types. */
export type AnyHandler = Handler<never, never, unknown>;
export type Implementation = ReadonlyMap<Endpoint, AnyHandler>;

/** Implements a branch of the contract. Both trees have the same keys: a handler that is missing or has another type does not compile. */
export const implement = <Tree extends object>(_endpoints: Tree, handlers: HandlersOf<Tree>): HandlersOf<Tree> => handlers;

/** Finds the handler of each endpoint of an implemented tree. */
export function bind<Tree extends object>(tree: Tree, handlers: HandlersOf<Tree>): Implementation {
  const bound = new Map<Endpoint, AnyHandler>();
  for (const [key, node] of Object.entries(tree) as [string, object][]) {
    const handler = (handlers as Record<string, unknown>)[key];
    if (isEndpoint(node)) bound.set(node, handler as AnyHandler);
    else for (const [endpoint, inner] of bind(node, handler as never)) bound.set(endpoint, inner);
  }
  return bound;
}

/** Marks a handler that calls the provider or the storage. A transaction must not span such a call, so the handler opens its own. */
export function ownsTransaction<H extends AnyHandler>(handler: H): H {
  handler.ownsTransaction = true;
  return handler;
}

/** Creates the handler of an upload: `receive` stores the file, and the handler runs when the whole form has arrived. It owns its transaction. */
export function upload<H extends AnyHandler>(receive: Receive, handler: H): H & { receive: Receive } {
  return Object.assign(ownsTransaction(handler), { receive });
}
