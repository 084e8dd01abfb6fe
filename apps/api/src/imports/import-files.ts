import type { Readable } from 'node:stream';
import { contract, type ImportTypeName, importTypes, ProblemError } from '@profile-service/contracts';
import { newId } from '@profile-service/db';
import { checkFileHead, InvalidFileError, type ReadOptions } from '@profile-service/record-files';
import type { Storage } from '@profile-service/storage';
import type { ImportFiles, IncomingFile } from '../request/files.ts';
import { checkJson } from '../request/check-json.ts';
import { compileInput } from '../request/input.ts';
import { validationFailed } from '../request/validation-failed.ts';

/** Most bytes of the header of a file. */
const maxHeadBytes = 1024 * 1024;
/** A younger file may belong to an upload that has no import yet, in milliseconds. */
const graceMs = 60 * 60_000;
const pageSize = 1000;

/** How the rows of an import are read. */
export interface ImportFormat {
  type: ImportTypeName;
  format: 'csv' | 'ndjson';
  delimiter: string | null;
  mode: 'create' | 'upsert';
}

/** Returns how the file of an import is read. In the mode `upsert`, only the tax id is required: other columns may be absent for records that exist. */
export function readOptionsOf({ type, format, delimiter, mode }: ImportFormat): ReadOptions {
  const { row, codes, ignored, update } = importTypes[type];
  const body = mode === 'upsert' && update ? row.partial().required({ federalTaxId: true }) : row;
  return { format, body, codes, ignored, checkJson: rejectedJson, ...(delimiter === null ? {} : { delimiter }) };
}

/** Says why a request with this JSON would be rejected. */
function rejectedJson(text: string) {
  try {
    checkJson(text, 'row');
  } catch (error) {
    if (error instanceof ProblemError && error.errors) return error.errors[0];
    throw error;
  }
  return undefined;
}

/** Returns the format of a file: the given one, or by its extension. Throws VALIDATION_FAILED. */
export function formatOf(filename: string, format: 'csv' | 'ndjson' | undefined): 'csv' | 'ndjson' {
  if (format) return format;
  if (/\.csv$/i.test(filename)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(filename)) return 'ndjson';
  throw validationFailed('format', 'The name of the file does not end with .csv, .ndjson or .jsonl: state the format');
}

/** The error of a file that cannot be read. */
export const invalidFile = ({ message }: InvalidFileError): ProblemError => new ProblemError('INVALID_IMPORT_FILE', { detail: message });

/**
 * Creates the files of imports, under the keys `{basePath}/imports/{uuid}`. The names in lower case keep the clean-up of attachments from deleting them.
 * @param maxBytes size limit of a file
 */
export function createImportFiles(storage: Storage, basePath: string, maxBytes: number): ImportFiles {
  const prefix = `${basePath}/imports/`;
  return {
    async receive({ filename, contentType, fields, content }) {
      const key = prefix + newId();
      let size = 0;
      let contentError: unknown;
      const counted = async function* () {
        try {
          for await (const chunk of checkHead(content, filename, fields)) {
            size += chunk.length;
            if (size > maxBytes) throw new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The file is larger than ${maxBytes} bytes.` });
            yield chunk;
          }
        } catch (error) {
          contentError = error;
          throw error;
        }
      };
      await storage.put(key, counted(), 'application/octet-stream').catch(async (error: unknown) => {
        await storage.remove(key).catch(() => undefined);
        throw error === contentError ? error : new ProblemError('FailedToUploadFileError', { cause: error });
      });
      let kept = false;
      return {
        filename,
        contentType,
        size,
        place: async () => key,
        keep: () => (kept = true),
        discard: async () => (kept ? undefined : storage.remove(key).catch(() => undefined)),
      };
    },

    async open(filePath): Promise<Readable> {
      try {
        return (await storage.open(filePath)).content;
      } catch (error) {
        throw new ProblemError('FailedToDownloadFileError', { cause: error });
      }
    },

    has: (filePath) => storage.has(filePath),

    remove: (filePath) => storage.remove(filePath),

    async removeUnknown(findUnknown) {
      const before = Date.now() - graceMs;
      for await (const objects of storage.list(prefix, pageSize)) {
        const old = objects.filter(({ modifiedAt }) => modifiedAt.getTime() < before).map(({ key }) => key);
        if (old.length > 0) for (const key of await findUnknown(old)) await storage.remove(key);
      }
    },
  };
}

/** Validates the fields as the endpoint does, which reads them after the file. Throws VALIDATION_FAILED. */
function parseFields(fields: IncomingFile['fields']): ImportFields {
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  if (!body['type']) throw validationFailed('type', 'Expected before the file');
  return parseForm({ params: {}, query: {}, body }) as ImportFields;
}

type ImportFields = NonNullable<typeof contract.imports.create.types>['input'];
const parseForm = compileInput(contract.imports.create);

/** Passes the content on after its header was checked: a wrong file is rejected before all of it has arrived. */
async function* checkHead(content: IncomingFile['content'], filename: string, fields: IncomingFile['fields']): AsyncGenerator<Uint8Array> {
  const { format, delimiter = null, ...others } = parseFields(fields);
  const options = readOptionsOf({ ...others, delimiter, format: formatOf(filename, format) });
  const head: Uint8Array[] = [];
  let length = 0;
  let isChecked = false;
  const check = (complete: boolean) => {
    try {
      checkFileHead(Buffer.concat(head), options, complete);
    } catch (error) {
      throw error instanceof InvalidFileError ? invalidFile(error) : error;
    }
    isChecked = true;
  };
  for await (const chunk of content) {
    if (!isChecked) {
      head.push(chunk);
      length += chunk.length;
      if (length < maxHeadBytes) continue;
      check(false);
      yield* head;
      continue;
    }
    yield chunk;
  }
  if (isChecked) return;
  check(true);
  yield* head;
}
