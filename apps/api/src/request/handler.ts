import type { Caller, IdentityProvider, ServiceCaller, UserCaller } from '@profile-service/auth';
import type { Access, Endpoint, EventItem, Media, RecordType } from '@profile-service/contracts';
import type { EncodedRows, EncodeRow, EventStart, ScopedDatabase, Statement, StatementKind } from '@profile-service/db';
import type { AttachmentFiles, Download, ImportFiles, IncomingFile, StagedFile } from './files.ts';
import type { FeedPage } from './feed.ts';
import type { JobQueue } from './job-queue.ts';
import type { RunInTransaction, Tables, Transaction } from './transaction.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** What handlers use besides the database. */
export interface HandlerDependencies {
  identity: IdentityProvider;
  jobs: JobQueue;
  attachmentFiles: AttachmentFiles;
  importFiles: ImportFiles;
  webhooks: WebhookSettings;
}

/** Who calls, and with which validated input: path, query and body in one object. */
interface Request<Input, C extends Caller> {
  input: Input;
  caller: C;
}

/** The argument of a handler that only reads. */
export interface ReadContext<Input, C extends Caller = Caller> extends Request<Input, C>, Tables {
  /** Converts a row to the declared JSON. Only for endpoints that return a list. */
  readonly encodeRow: EncodeRow;
  readonly attachmentFiles: AttachmentFiles;
}

/** The argument of a handler that reads events. They are read from the primary: a standby may know fewer running transactions. */
export interface FeedContext<Input, C extends Caller = Caller> extends Request<Input, C> {
  readonly scoped: ScopedDatabase;
}

/** The argument of a handler that runs in a transaction. */
export interface WriteContext<Input, C extends Caller = Caller> extends Request<Input, C>, Transaction, Pick<HandlerDependencies, 'jobs'> {}

/** The argument of a handler that calls an external system, and runs transactions before or after the call. Its tables are in none. */
export interface ExternalContext<Input, C extends Caller = Caller> extends Request<Input, C>, Tables, HandlerDependencies {
  /** Runs work in a transaction. No transaction may span a call to an external system. */
  readonly transaction: RunInTransaction;
}

/** Stores the incoming file of an upload. */
type Receive = (file: IncomingFile, files: Pick<HandlerDependencies, 'attachmentFiles' | 'importFiles'>) => Promise<StagedFile>;

/*
 * A method, not a property, so that a handler of specific inputs is assignable to `AnyHandler`: the schemas of the endpoint check input and output.
 */
interface ReadHandler<Input, C extends Caller, Returned> {
  readonly kind: 'read';
  run(context: ReadContext<Input, C>): Promise<Returned>;
}
/** The argument of a handler that makes a file. */
export interface FileContext<Input, C extends Caller = Caller> extends Request<Input, C>, Pick<HandlerDependencies, 'importFiles'> {
  /** Reads all rows of a statement in parts, as they were at one moment. The scoped tables are limited to the caller's organization scope. */
  snapshot<StatementInput, Row>(statement: Statement<StatementKind, StatementInput, Row>, input: StatementInput): AsyncGenerator<Row[]>;
}

/** A file that is made while it is sent. */
export interface FileSource {
  /** Without extension and date, such as `import-results`. */
  name: string;
  /** What comes before the parts. */
  head: string;
  parts: AsyncIterable<string>;
}

/** What a handler that exports records declares. */
export interface ExportedList<Input, C extends Caller> {
  /** Returns the statement that selects all records. Its input is that of the request. */
  statement(input: Input): AnyStatement;
  /** Returns the function that converts a row to a record, as the caller may see it. Default: the row is one. */
  show?(caller: C): (row: never) => unknown;
}
interface ExportHandler<Input, C extends Caller> {
  readonly kind: 'export';
  /** Throws the 403s and 404s of the request. */
  check?(context: ReadContext<Input, C>): Promise<unknown>;
  /** The records of a list, which are audited. */
  readonly list?: ExportedList<Input, C>;
  /** Another file. @param checked what the check returned */
  open?(context: FileContext<Input, C>, checked: unknown): Promise<FileSource>;
}
type AnyStatement = Statement<StatementKind, never, unknown>;
interface FeedHandler<Input, C extends Caller> {
  readonly kind: 'feed';
  /** Returns where the events start. */
  start(context: FeedContext<Input, C>): Promise<EventStart>;
  read(context: FeedContext<Input, C>, start: EventStart): Promise<FeedPage>;
  /** The same text for callers and inputs that get the same events: streams share their reads by it. */
  audience(context: Request<Input, C>): string;
}
interface WriteHandler<Input, C extends Caller, Returned> {
  readonly kind: 'write';
  check?(context: WriteContext<Input, C>): Promise<unknown>;
  run(context: WriteContext<Input, C>, record: unknown): Promise<Returned>;
}
interface ExternalHandler<Input, C extends Caller, Returned> {
  readonly kind: 'external';
  check?(context: ExternalContext<Input, C>): Promise<unknown>;
  run(context: ExternalContext<Input, C>): Promise<Returned>;
}
interface UploadHandler<Input, C extends Caller, Returned> extends Omit<ExternalHandler<Input, C, Returned>, 'kind'> {
  readonly kind: 'upload';
  receive(...args: Parameters<Receive>): Promise<StagedFile>;
}

/** Declares a handler that only reads, from the primary or from the read replica. */
export const read = <Input, C extends Caller, Returned>(
  run: (context: ReadContext<Input, C>) => Promise<Returned>,
): ReadHandler<Input, C, Returned> => ({ kind: 'read', run });

/** Declares a handler that exports the records of a list. */
export const exportRecords = <Input, C extends Caller>({
  check,
  ...list
}: ExportedList<Input, C> & Pick<ExportHandler<Input, C>, 'check'>): ExportHandler<Input, C> => ({
  kind: 'export',
  ...(check && { check }),
  list,
});

/** Declares a handler that makes a file while it is sent. With a check, the handler gets what the check returns. */
export const sendFile = <Input, C extends Caller, Checked>(
  check: (context: ReadContext<NoInfer<Input>, NoInfer<C>>) => Promise<Checked>,
  open: (context: FileContext<Input, C>, checked: Checked) => Promise<FileSource>,
): ExportHandler<Input, C> => ({ kind: 'export', check, open: open as never });

/** Declares a handler that reads events. While there are none, the request waits and reads again, authorized anew. */
export const feed = <Input, C extends Caller>(handler: Omit<FeedHandler<Input, C>, 'kind'>): FeedHandler<Input, C> => ({
  kind: 'feed',
  ...handler,
});

/**
 * Declares a handler that runs in one transaction, which is committed after it. With a check, the handler gets what the check returns, such as a locked row.
 * The check runs once for each request, before the version in If-Match is compared, and also when a stored response is repeated. It throws the 403s and 404s
 * of the request, and takes the locks that come before that of the record.
 */
export function write<Input, C extends Caller, Returned>(
  run: (context: WriteContext<Input, C>) => Promise<Returned>,
): WriteHandler<Input, C, Returned>;
export function write<Input, C extends Caller, Returned, Checked>(
  check: (context: WriteContext<NoInfer<Input>, NoInfer<C>>) => Promise<Checked>,
  run: (context: WriteContext<Input, C>, checked: Checked) => Promise<Returned>,
): WriteHandler<Input, C, Returned>;
export function write(first: WriteHandler<unknown, Caller, unknown>['run'], second?: typeof first): WriteHandler<unknown, Caller, unknown> {
  return second
    ? { kind: 'write', check: first as NonNullable<WriteHandler<unknown, Caller, unknown>['check']>, run: second }
    : { kind: 'write', run: first };
}

interface ExternalParts<Input, C extends Caller, Returned> {
  check?: (context: ExternalContext<NoInfer<Input>, NoInfer<C>>) => Promise<unknown>;
  run: (context: ExternalContext<Input, C>) => Promise<Returned>;
}

/**
 * Declares a handler that calls the identity provider, the storage or DNS. Its check, like that of `write`, runs once for each request, outside of a transaction.
 */
export const external = <Input, C extends Caller, Returned>(
  handler: ExternalParts<Input, C, Returned>,
): ExternalHandler<Input, C, Returned> => ({ kind: 'external', ...handler });

/** Declares the handler of an upload. `receive` stores the file while it arrives; `check` and `run` follow after the whole form has arrived. */
export const upload = <Input, C extends Caller, Returned>(
  handler: ExternalParts<Input, C, Returned> & { receive: Receive },
): UploadHandler<Input, C, Returned> => ({ kind: 'upload', ...handler });

type CallerOf<A extends Access> = A extends { kind: 'service' } ? ServiceCaller : UserCaller;

/** The type of an endpoint's handler. A GET may write, as a look-up that links what it finds. */
export type HandlerOf<E extends Endpoint> =
  E extends Endpoint<infer M, infer A, unknown, infer Input, infer Returned, unknown, infer F, infer V>
    ? F extends 'upload'
      ? UploadHandler<Input & { file: StagedFile }, CallerOf<A>, Versioned<M, V, Returned>>
      : F extends 'export'
        ? ExportHandler<Input, CallerOf<A>>
        : Returned extends EventOutput | EventItem
          ? FeedHandler<Input, CallerOf<A>>
          : M extends 'GET'
            ? | ReadHandler<Input, CallerOf<A>, ReturnedOf<F, Versioned<M, V, Returned>>>
              | WriteHandler<Input, CallerOf<A>, Versioned<M, V, Returned>>
            : WriteHandler<Input, CallerOf<A>, Versioned<M, V, Returned>> | ExternalHandler<Input, CallerOf<A>, Versioned<M, V, Returned>>
    : never;

/** The output of an endpoint whose handler reads events. */
type EventOutput = { data: EventItem[]; nextCursor: string };

/** A handler returns the version for the ETag beside the declared output. */
type Versioned<M, V, Returned> = V extends RecordType
  ? M extends 'DELETE'
    ? Returned
    : (Returned extends object ? Returned : unknown) & { version: number }
  : Returned;
type ReturnedOf<F extends Media, Returned> = F extends 'download' ? Download : ListOf<Returned>;
/** The rows of a list may have been encoded. */
type ListOf<Returned> = Returned extends { data: (infer Row)[] } ? Omit<Returned, 'data'> & { data: Row[] | EncodedRows<Row> } : Returned;

/** The input of the endpoint's handler. */
export type InputOf<E extends Endpoint> = E extends Endpoint<infer _M, infer _A, unknown, infer Input> ? Input : never;

/** A handler of any endpoint. Its types are erased, because the endpoint's schemas check input and output. */
export type AnyRead = ReadHandler<never, never, unknown>;
export type AnyExport = ExportHandler<never, never>;
export type AnyFeed = FeedHandler<never, never>;
export type AnyWrite = WriteHandler<never, never, unknown>;
export type AnyExternal = ExternalHandler<never, never, unknown>;
export type AnyUpload = UploadHandler<never, never, unknown>;
export type AnyHandler = AnyRead | AnyExport | AnyFeed | AnyWrite | AnyExternal | AnyUpload;
