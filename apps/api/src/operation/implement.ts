import { type Access, isEndpoint, type Media, type Endpoint } from '@profile-service/contracts';
import type { Caller, ServiceCaller, UserCaller } from '@profile-service/auth';
import type { CallerInvalidation, HandlerDatabase, ScopedDatabase } from '@profile-service/db';
import type { IdentityProvider } from '../integrations/identity-provider/identity-provider.ts';
import type { AttachmentFiles } from '../resources/attachment-files.ts';
import type { JobQueue } from '../jobs/job.ts';
import type { Download, Receive, StagedFile } from './files.ts';

/** What a handler may use beside its input. */
export interface Services {
  identity: IdentityProvider;
  jobs: JobQueue;
  attachmentFiles: AttachmentFiles;
}

/** The part of a context that lives as long as a transaction. */
export interface Transaction {
  /** In a write: the transaction. It has no way to the scoped tables but `scoped`. */
  db: HandlerDatabase;
  scoped: ScopedDatabase;
  /** Says whose cached context this change makes untrue; told to all instances with the commit. */
  invalidateCallers(invalidation: CallerInvalidation): void;
  /** Runs once the change is committed: for effects outside the database. */
  afterCommit(effect: () => void): void;
}

export interface Context<Input, C extends Caller = Caller> extends Transaction, Services {
  input: Input;
  caller: C;
  /** Opens a transaction; for handlers marked `outsideTransaction`, and for a read that has to write. */
  transaction<T>(work: (unit: Transaction) => Promise<T>): Promise<T>;
}

type CallerOf<A extends Access> = A extends { kind: 'service' } ? ServiceCaller : UserCaller;

export type HandlerOf<R extends Endpoint> =
  R extends Endpoint<infer _M, infer A, unknown, infer Input, infer Returned, unknown, infer F>
    ? Handler<Input & FileOf<F>, CallerOf<A>, ReturnedOf<F, Returned>> & ReceiverOf<F>
    : never;

type FileOf<F extends Media> = F extends 'upload' ? { file: StagedFile } : unknown;
type ReturnedOf<F extends Media, Returned> = F extends 'download' ? Download : Returned;
type ReceiverOf<F extends Media> = F extends 'upload' ? { receive: Receive } : unknown;

/** What the row's handler gets as its input. */
export type InputOf<R extends Endpoint> = R extends Endpoint<infer _M, infer _A, unknown, infer Input> ? Input : never;

interface Handler<Input, C extends Caller, Returned> {
  (context: Context<Input, C>): Promise<Returned>;
  ownsTransaction?: true;
  receive?: Receive;
}

type HandlersOf<Tree> = { [K in keyof Tree]: Tree[K] extends Endpoint ? HandlerOf<Tree[K]> : HandlersOf<Tree[K]> };

/** What the operation sees of a handler: the row's schemas have made sure of its types. */
export type AnyHandler = Handler<never, never, unknown>;
export type Implementation = ReadonlyMap<Endpoint, AnyHandler>;

/** Implements a branch of the contract: the two trees have the same keys, and a missing or mistyped handler does not compile. */
export const implement = <Tree extends object>(_rows: Tree, handlers: HandlersOf<Tree>): HandlersOf<Tree> => handlers;

/** Finds the handler of each row of an implemented tree. */
export function bind<Tree extends object>(rows: Tree, handlers: HandlersOf<Tree>): Implementation {
  const bound = new Map<Endpoint, AnyHandler>();
  for (const [key, node] of Object.entries(rows) as [string, object][]) {
    const handler = (handlers as Record<string, unknown>)[key];
    if (isEndpoint(node)) bound.set(node, handler as AnyHandler);
    else for (const [endpoint, inner] of bind(node, handler as never)) bound.set(endpoint, inner);
  }
  return bound;
}

/** Marks a handler that calls the provider or the storage: a transaction must not span that, so it opens its own. */
export function ownsTransaction<H extends AnyHandler>(handler: H): H {
  handler.ownsTransaction = true;
  return handler;
}

/** Makes the handler of an upload: `receive` takes the file in, and the handler goes on when the whole form has come. No transaction spans it. */
export function upload<H extends AnyHandler>(receive: Receive, handler: H): H & { receive: Receive } {
  return Object.assign(ownsTransaction(handler), { receive });
}
