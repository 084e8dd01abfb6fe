import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { isProgrammingError } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import createParser from 'busboy';
import type { ReceiveFile, StagedFile } from '../../request/files.ts';
import { validationFailed } from '../../request/validation-failed.ts';
import { hasBody, requireType } from '../http/body-head.ts';
import { pipeForm } from './pipe-form.ts';

/** The name of the part that holds the file. */
const filePart = 'file';

const maxFields = 16;
const maxParts = maxFields + 1;
const maxFieldBytes = 64 * 1024;
/** The parser stops reading part headers when one part more than `maxParts` has ended, and truncates a field that reaches its limit. */
const limits = { fields: maxFields, parts: maxParts + 1, fieldSize: maxFieldBytes + 1 };
/** How many bytes a form may have besides the largest file: fields, part headers and boundaries. */
const maxBytesBesidesFile = 2 * 1024 * 1024;

/**
 * Reads multipart/form-data: fields and exactly one file, which `receive` stores while it arrives. Fields may come before and after the file. An empty field
 * counts as absent; a duplicate field is rejected (D-34).
 * @param maxBytes size limit of the file
 * @param fieldsFirst whether fields after the file are rejected
 * @throws UNSUPPORTED_MEDIA_TYPE, FILE_REQUIRED, PAYLOAD_TOO_LARGE, VALIDATION_FAILED, or what `receive` throws
 */
export async function readForm(
  request: IncomingMessage,
  receive: ReceiveFile,
  maxBytes: number,
  fieldsFirst: boolean,
): Promise<{ body: Record<string, string>; file: StagedFile }> {
  const parser = openParser(request);
  const fields = new Map<string, string>();
  let receiving: Promise<StagedFile> | undefined;
  const fail = (problem: Error) => void parser.destroy(problem);

  // A part may have no name, although the parser's types say otherwise.
  parser.on('field', (fieldName: string | undefined, value, { valueTruncated }) => {
    const name = fieldName ?? '';
    if (valueTruncated)
      return fail(new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The field ${name} is larger than ${maxFieldBytes} bytes.` }));
    if (receiving && fieldsFirst) return fail(validationFailed(name, 'Expected before the file'));
    if (fields.has(name)) return fail(validationFailed(name, 'Given more than once'));
    // The parser replaces invalid bytes, and returns undefined for an unknown charset.
    if ((value as string | undefined)?.includes('\uFFFD') ?? true) return fail(validationFailed(name, 'The field is not UTF-8 text'));
    fields.set(name, value);
  });
  parser.on('fieldsLimit', () => fail(validationFailed('', `A form has at most ${maxFields} fields`)));
  parser.on('partsLimit', () => fail(validationFailed('', `A form has at most ${maxParts} parts`)));
  parser.on('file', (name: string | undefined, content, { filename = '', mimeType: contentType }) => {
    // If the body ends early, the file fails too. The error of the parser is the one that is reported.
    content.on('error', () => undefined);
    // The parser emits the rest of its current chunk after it was destroyed. Discard such a file: it would never end.
    if (parser.destroyed) return void content.resume();
    if (receiving) return fail(validationFailed(name ?? '', 'A form has exactly one file'));
    if (name !== filePart) return fail(new ProblemError('FILE_REQUIRED', { detail: `The name of the file part must be ${filePart}.` }));
    receiving = receive({ filename, contentType, fields: Object.fromEntries(fields), content: limitSize(content, maxBytes) });
    receiving.catch(fail);
  });

  const detach = pipeForm(request, parser, maxBytes + maxBytesBesidesFile);
  try {
    await finished(parser);
    if (!receiving) throw new ProblemError('FILE_REQUIRED');
    return { body: Object.fromEntries([...fields].filter(([, value]) => value !== '')), file: await receiving };
  } catch (error) {
    // Wait until the file is stored, so that the caller can delete it.
    await receiving?.catch(() => undefined);
    throw error instanceof ProblemError || isProgrammingError(error)
      ? error
      : validationFailed('', 'The body is not valid multipart/form-data', error);
  } finally {
    detach();
  }
}

/** Creates the parser. Throws FILE_REQUIRED, UNSUPPORTED_MEDIA_TYPE or VALIDATION_FAILED. */
function openParser(request: IncomingMessage): createParser.Busboy {
  if (!hasBody(request)) throw new ProblemError('FILE_REQUIRED');
  requireType(request, 'multipart/form-data');
  try {
    return createParser({ headers: request.headers, limits, defParamCharset: 'utf8' });
  } catch (error) {
    throw validationFailed('', 'The Content-Type has no boundary', error);
  }
}

/** Passes the content on and throws PAYLOAD_TOO_LARGE when it is larger than `maxBytes`. */
async function* limitSize(content: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The file is larger than ${maxBytes} bytes.` });
    yield chunk;
  }
}
