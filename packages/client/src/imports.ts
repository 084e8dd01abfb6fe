import type { Progress, UploadSource } from './files.ts';
import type { Import, ImportCreate } from './generated/models.ts';
import type { ImportsCreateErrorCode, ImportsGetErrorCode } from './generated/procedures.ts';
import type { Result } from './result.ts';

/** Progress of the upload. It starts again when the upload is repeated. */
export interface ImportUploadProgress extends Progress {
  phase: 'upload';
}

/** Progress of the rows: the import as of now. Its `rows` are null until the service has counted them. */
export interface ImportRowsProgress {
  phase: 'rows';
  import: Import;
}

export type ImportProgress = ImportUploadProgress | ImportRowsProgress;

export interface WaitForImportOptions {
  /** Called with the import as it is, and after each change of it. The last call has the result. */
  onProgress?: ((progress: ImportRowsProgress) => void) | undefined;
  /** Ends the waiting. The import continues. */
  signal?: AbortSignal | undefined;
}

export interface RunImportOptions extends Omit<ImportCreate, 'dryRun'> {
  /** Whether to only report what the import would do. Default: false. */
  dryRun?: boolean | undefined;
  /** Default: the name of the File, or the last segment of the stream's path. Its extension tells the format, unless `format` does. */
  filename?: string | undefined;
  /** Called after each part of the file that was sent, then with the new import, and after each change of it. The last call has the result. */
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Aborts the upload, or cancels the import. */
  signal?: AbortSignal | undefined;
  /** Visible ASCII characters, 1 to 255. Within 24 hours, the same key returns the same import. Default: a new UUID for each upload of a Blob. */
  idempotencyKey?: string | undefined;
}

export interface RunImport {
  /**
   * Uploads a file of records, waits until its import has ended, and resolves with it. Its `status` is `COMPLETED`, `CANCELLED` or `FAILED`: a `FAILED` import
   * is not thrown, `code` and `message` say why it failed. A `COMPLETED` import may have rows that failed, see `failed` and `imports.results`.
   *
   * The upload is repeated as that of `attachments.upload`. While it waits, temporary failures are repeated without end. All requests go to the tenant that was
   * active when the call was made. If the signal aborts when the import exists, the import is cancelled; rows that are done stay.
   * @throws ProfileError ABORTED after an abort, INVALID_IMPORT_FILE if the header is wrong
   */
  (file: UploadSource, options: RunImportOptions): Promise<Import>;
  /** Runs an import. Resolves with `{ ok: true, data }` or `{ ok: false, error }`, and never rejects. */
  safe(file: UploadSource, options: RunImportOptions): Promise<Result<Import, ImportsCreateErrorCode | ImportsGetErrorCode>>;
}

export interface WaitForImport {
  /**
   * Waits until an import has ended, and resolves with it, as `run`. For an import that was begun elsewhere, such as before a page was reloaded. Temporary
   * failures are repeated without end. An abort does not cancel the import.
   * @throws ProfileError ABORTED after an abort
   */
  (id: string, options?: WaitForImportOptions): Promise<Import>;
  /** Waits for an import. Resolves with `{ ok: true, data }` or `{ ok: false, error }`, and never rejects. */
  safe(id: string, options?: WaitForImportOptions): Promise<Result<Import, ImportsGetErrorCode>>;
}

/** Runs imports. */
export interface ImportRunner {
  run: RunImport;
  wait: WaitForImport;
}
