import { type Access, isRow, type Media, type Row } from '@profile-service/contracts';
import type { Caller, ServiceCaller, UserCaller } from '@profile-service/auth';
import type { Change, OpenDatabase, ScopedDatabase } from '@profile-service/db';
import type { IdentityProvider } from '../outside/identity.ts';
import type { AttachmentFiles } from '../resources/attachment-files.ts';
import type { PasswordMails } from '../resources/password-mails.ts';
import type { Download, Receive, StagedFile } from './files.ts';

/** What a handler may use beside its input. */
export interface Services {
  identity: IdentityProvider;
  passwordMails: PasswordMails;
  attachmentFiles: AttachmentFiles;
}

/** The part of a context that lives as long as a transaction. */
export interface Unit {
  /** In a write: the transaction. It has no way to the scoped tables but `scoped`. */
  db: OpenDatabase;
  scoped: ScopedDatabase;
  /** Says whose cached context this change makes untrue; told to all instances with the commit. */
  changed(change: Change): void;
  /** Runs once the change is committed: for effects outside the database. */
  afterCommit(effect: () => void): void;
}

export interface Context<Input, C extends Caller = Caller> extends Unit, Services {
  input: Input;
  caller: C;
  /** Opens a transaction; for handlers marked `outsideTransaction`, and for a read that has to write. */
  transaction<T>(work: (unit: Unit) => Promise<T>): Promise<T>;
}

type CallerOf<A extends Access> = A extends { kind: 'service' } ? ServiceCaller : UserCaller;

export type HandlerOf<R extends Row> =
  R extends Row<infer _M, infer A, unknown, infer Input, infer Returned, unknown, infer F>
    ? Handler<Input & FileOf<F>, CallerOf<A>, ReturnedOf<F, Returned>> & ReceiverOf<F>
    : never;

type FileOf<F extends Media> = F extends 'upload' ? { file: StagedFile } : unknown;
type ReturnedOf<F extends Media, Returned> = F extends 'download' ? Download : Returned;
type ReceiverOf<F extends Media> = F extends 'upload' ? { receive: Receive } : unknown;

/** What the row's handler gets as its input. */
export type InputOf<R extends Row> = R extends Row<infer _M, infer _A, unknown, infer Input> ? Input : never;

interface Handler<Input, C extends Caller, Returned> {
  (context: Context<Input, C>): Promise<Returned>;
  outsideTransaction?: true;
  receive?: Receive;
}

type HandlersOf<Tree> = { [K in keyof Tree]: Tree[K] extends Row ? HandlerOf<Tree[K]> : HandlersOf<Tree[K]> };

/** What the operation sees of a handler: the row's schemas have made sure of its types. */
export type AnyHandler = Handler<never, never, unknown>;
export type Implementation = ReadonlyMap<Row, AnyHandler>;

/** Implements a branch of the contract: the two trees have the same keys, and a missing or mistyped handler does not compile. */
export const implement = <Tree extends object>(_rows: Tree, handlers: HandlersOf<Tree>): HandlersOf<Tree> => handlers;

/** Finds the handler of each row of an implemented tree. */
export function bind<Tree extends object>(rows: Tree, handlers: HandlersOf<Tree>): Implementation {
  const bound = new Map<Row, AnyHandler>();
  for (const [key, node] of Object.entries(rows) as [string, object][]) {
    const handler = (handlers as Record<string, unknown>)[key];
    if (isRow(node)) bound.set(node, handler as AnyHandler);
    else for (const [row, inner] of bind(node, handler as never)) bound.set(row, inner);
  }
  return bound;
}

/** Marks a handler that calls the provider or the storage: a transaction must not span that, so it opens its own. */
export function outsideTransaction<H extends AnyHandler>(handler: H): H {
  handler.outsideTransaction = true;
  return handler;
}

/** Makes the handler of an upload: `receive` takes the file in, and the handler goes on when the whole form has come. No transaction spans it. */
export function upload<H extends AnyHandler>(receive: Receive, handler: H): H & { receive: Receive } {
  return Object.assign(outsideTransaction(handler), { receive });
}
