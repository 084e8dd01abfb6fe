import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ProblemError } from '@profile-service/contracts';
import createParser from 'busboy';
import type { ReceiveFile, StagedFile } from '../../handler/files.ts';
import { invalid } from '../../handler/invalid.ts';
import { hasBody, requireType } from '../http/body-head.ts';
import { feed } from './form-body.ts';

/** The name of the part that holds the file. All other parts are fields. */
const filePart = 'file';

const limits = { fields: 16, fieldSize: 64 * 1024, fieldNameSize: 100 };
/** Bytes of a form beside its file. */
const maxBytesBesideFile = 2 * 1024 * 1024;

/**
 * Reads multipart/form-data: fields and exactly one file, which `receive` stores while it arrives. Fields may come before and after the file. An empty field
 * counts as absent; a field that is given twice is refused.
 * @param maxBytes largest file
 * @throws UNSUPPORTED_MEDIA_TYPE, FILE_REQUIRED, PAYLOAD_TOO_LARGE, VALIDATION_FAILED, or what `receive` throws
 */
export async function readForm(
  request: IncomingMessage,
  receive: ReceiveFile,
  maxBytes: number,
): Promise<{ body: Record<string, string>; file: StagedFile }> {
  const parser = openParser(request);
  const fields = new Map<string, string>();
  let receiving: Promise<StagedFile> | undefined;
  const refuse = (problem: ProblemError) => void parser.destroy(problem);

  // A part may have no name, although the parser's types say otherwise.
  parser.on('field', (given: string | undefined, value, { valueTruncated }) => {
    const name = given ?? '';
    if (valueTruncated)
      return refuse(new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The field ${name} is larger than ${limits.fieldSize} bytes.` }));
    if (fields.has(name)) return refuse(invalid(name, 'Given more than once'));
    fields.set(name, value);
  });
  parser.on('fieldsLimit', () => refuse(invalid('', `A form has at most ${limits.fields} fields`)));
  parser.on('file', (name: string | undefined, content, { filename = '', mimeType: contentType }) => {
    // A form that ends early ends its file too. The form reports the problem.
    content.on('error', () => undefined);
    // The parser finishes the chunk that it has: the file of a form that is already refused would never end.
    if (parser.destroyed) return void content.resume();
    if (receiving) return refuse(invalid(name ?? '', 'A form has exactly one file'));
    if (name !== filePart) return refuse(new ProblemError('FILE_REQUIRED', { detail: `The name of the file part must be ${filePart}.` }));
    receiving = receive({ filename, contentType, fields: Object.fromEntries(fields), content: limitSize(content, maxBytes) });
    receiving.catch(refuse);
  });

  const stop = feed(request, parser, maxBytes + maxBytesBesideFile);
  try {
    await finished(parser);
    if (!receiving) throw new ProblemError('FILE_REQUIRED');
    return { body: Object.fromEntries([...fields].filter(([, value]) => value !== '')), file: await receiving };
  } catch (error) {
    // Wait until the file is stored, so that it can be removed.
    await receiving?.catch(() => undefined);
    throw error instanceof ProblemError ? error : invalid('', 'The body is not valid multipart/form-data', error);
  } finally {
    stop();
  }
}

function openParser(request: IncomingMessage): createParser.Busboy {
  if (!hasBody(request)) throw new ProblemError('FILE_REQUIRED');
  requireType(request, 'multipart/form-data');
  try {
    return createParser({ headers: request.headers, limits, defParamCharset: 'utf8' });
  } catch (error) {
    throw invalid('', 'The content type names no boundary', error);
  }
}

async function* limitSize(content: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The file is larger than ${maxBytes} bytes.` });
    yield chunk;
  }
}
