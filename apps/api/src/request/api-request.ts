import type { Download, FileHead, FileSink, ReceiveFile } from './files.ts';
import type { EventSink } from './feed.ts';
import type { RawInput } from './input.ts';
import type { RequestAbort } from './request-abort.ts';

/** Runs the parsing of a large body when no other large body is parsed. Rejects if the service is overloaded. */
export type ParseLargeBody = <T>(parse: () => T) => Promise<T>;

/** One call of an operation, as its transport received it. */
export interface ApiRequest {
  readonly requestId: string;
  /** Aborted when the client disconnects before it has its response. */
  readonly abort: RequestAbort;
  /** Whether the client wants the status and the headers alone. */
  readonly isHead?: boolean;
  /** Returns a request header. @param name in lower case */
  header(name: string): string | undefined;
  /** The parameters of the path as text, if the transport knows them before the input is read. */
  readonly pathParameters?: Readonly<Record<string, string | undefined>>;
  /**
   * Reads path, query and body. Called only after the caller is authorized.
   * @param parseLargeBody called with the parsing of a large JSON body
   * @param receive called with the file of an upload, to store it
   */
  readInput(parseLargeBody: ParseLargeBody, receive: ReceiveFile): RawInput | Promise<RawInput>;
  /** Sends the file of a download. Absent for transports that cannot send files. */
  sendFile?(file: Download): Promise<void>;
  /** Sends the head of a file whose length is not known. Absent for transports that cannot send files. */
  openFile?(head: FileHead): FileSink;
  /** Sends the head of a stream of events. Absent for transports, and formats of a transport, that cannot send one. */
  openEvents?(): EventSink;
  /** Called after a database slot was acquired and before the handler runs. May throw a `ProblemError` to abort. */
  beforeHandler?(): void;
}
