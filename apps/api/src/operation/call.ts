import type { Download, ReceiveFile } from '../handler/files.ts';
import type { RawInput } from './input.ts';

/** One call of an operation, as a transport hands it over. */
export interface Call {
  readonly requestId: string;
  /** Aborted when the client goes away before it has its response. */
  readonly signal: AbortSignal;
  /** A request header that the endpoint declares, in lower case. */
  header(name: string): string | undefined;
  /** Reads path, query and body. Called only after the caller is authorized. @param receive stores the file of an upload */
  readInput(receive: ReceiveFile): RawInput | Promise<RawInput>;
  /** Sends the file of a download. Absent for transports without files. */
  sendFile?(file: Download): Promise<void>;
  /** Called after a database slot was acquired and before the handler runs. May throw a `ProblemError` to abort. */
  beforeHandler?(): void;
}
