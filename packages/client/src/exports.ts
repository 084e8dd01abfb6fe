import type { Connection } from './connection.ts';
import { exportRecords } from './download.ts';
import { toProfileError } from './error-from.ts';
import type { ExportedFile, TransferOptions } from './files.ts';
import { exportPaths } from './generated/exports.ts';
import type { ExportedRecords } from './procedure.ts';
import { type Result, toResult } from './result.ts';

/** The calls that return a file of records. */
export type ExportCalls<Tree> = {
  [Key in keyof Tree]: Tree[Key] extends ExportedRecords<infer Input, infer Code> ? ExportOf<Input, Code> : ExportCalls<Tree[Key]>;
};

type ExportOf<Input, Code extends string> = [Input] extends [{ id: string }] ? ExportById<Omit<Input, 'id'>, Code> : Export<Input, Code>;

export interface Export<Input, Code extends string> {
  /**
   * Returns records as a file: `profile.organizations.export({ format: 'csv' })` has all records that the list shows with the same filters and sort. Resolves
   * when the response headers have arrived; the content is streamed, and fails with a ProfileError if the file is incomplete.
   * @throws ProfileError
   */
  (input: Input, options?: TransferOptions): Promise<ExportedFile>;
  /** Returns records as a file. Resolves with `{ ok: true, data }` or `{ ok: false, error }`, and never rejects. Reading the content may still throw a ProfileError. */
  safe(input: Input, options?: TransferOptions): Promise<Result<ExportedFile, Code>>;
}

export interface ExportById<Input, Code extends string> {
  /**
   * Returns what belongs to one record as a file: `profile.imports.results(id, { status: 'FAILED' })`. Resolves when the response headers have arrived; the
   * content is streamed, and fails with a ProfileError if the file is incomplete.
   * @throws ProfileError
   */
  (id: string, input?: Input, options?: TransferOptions): Promise<ExportedFile>;
  /** Returns the file. Resolves with `{ ok: true, data }` or `{ ok: false, error }`, and never rejects. Reading the content may still throw a ProfileError. */
  safe(id: string, input?: Input, options?: TransferOptions): Promise<Result<ExportedFile, Code>>;
}

type ExportInput = [input?: object | void, options?: TransferOptions];

/** Creates the call of an export. @param name of an operation, such as `organizations.export` or `imports.results`. Returns undefined if it is no export. */
export function exportCall(connection: Connection, name: string): object | undefined {
  if (!Object.hasOwn(exportPaths, name)) return undefined;
  const path = String(exportPaths[name]);
  const send = async (target: string, [input, options = {}]: ExportInput) => {
    try {
      return await exportRecords(connection, target, input ?? {}, options);
    } catch (error) {
      throw toProfileError(error);
    }
  };
  const call = path.includes('{id}')
    ? ([id, ...rest]: unknown[]) => send(path.replace('{id}', encodeURIComponent(String(id))), rest as ExportInput)
    : (args: unknown[]) => send(path, args as ExportInput);
  return Object.assign((...args: unknown[]) => call(args), { safe: (...args: unknown[]) => toResult(call(args)) });
}
