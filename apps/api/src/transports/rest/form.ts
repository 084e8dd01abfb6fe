import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ProblemError } from '@profile-service/contracts';
import createParser from 'busboy';
import type { StagedFile, Take } from '../../operation/files.ts';
import { invalid } from '../../operation/problem.ts';
import { hasBody, requireType } from '../http/body-head.ts';
import { feed } from './form-body.ts';

/** The part of the form that is the file. */
const filePart = 'file';

/** All other parts are fields. Together they are as large as a JSON body may be, each below its size. */
const limits = { fields: 16, fieldSize: 64 * 1024, fieldNameSize: 100 };
const besidesTheFile = 2 * 1024 * 1024;

/**
 * Reads multipart/form-data: fields, and exactly one file, which `take` takes in as it comes. Fields may stand before and after it;
 * an empty one counts as absent, and one that is given twice is refused.
 * @param maxBytes largest file
 * @throws UNSUPPORTED_MEDIA_TYPE, FILE_REQUIRED, PAYLOAD_TOO_LARGE, VALIDATION_FAILED, or what `take` throws
 */
export async function readForm(
  request: IncomingMessage,
  take: Take,
  maxBytes: number,
): Promise<{ body: Record<string, string>; file: StagedFile }> {
  const parser = openParser(request);
  const fields = new Map<string, string>();
  let taking: Promise<StagedFile> | undefined;
  const refuse = (problem: ProblemError) => void parser.destroy(problem);

  // The parser's types do not say it: a part may have no name.
  parser.on('field', (given: string | undefined, value, { valueTruncated }) => {
    const name = given ?? '';
    if (valueTruncated) return refuse(new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The field ${name} is too large` }));
    if (fields.has(name)) return refuse(invalid(name, 'Given more than once'));
    fields.set(name, value);
  });
  parser.on('fieldsLimit', () => refuse(invalid('', `A form has at most ${limits.fields} fields`)));
  parser.on('file', (name: string | undefined, content, { filename = '', mimeType: contentType }) => {
    // What ends the form early ends the file too; it is told by the form.
    content.on('error', () => undefined);
    // The parser goes on with what it was given last: a file of a form that is refused already would never end.
    if (parser.destroyed) return void content.resume();
    if (taking) return refuse(invalid(name ?? '', 'A form has one file'));
    if (name !== filePart) return refuse(new ProblemError('FILE_REQUIRED', { detail: `The file must be the part ${filePart}` }));
    taking = take({ filename, contentType, fields: Object.fromEntries(fields), content: limitSize(content, maxBytes) });
    taking.catch(refuse);
  });

  const stop = feed(request, parser, maxBytes + besidesTheFile);
  try {
    await finished(parser);
    if (!taking) throw new ProblemError('FILE_REQUIRED');
    return { body: Object.fromEntries([...fields].filter(([, value]) => value !== '')), file: await taking };
  } catch (error) {
    // The file has to be where it can be found and removed before this request is over.
    await taking?.catch(() => undefined);
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
    if (size > maxBytes) throw new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The file is larger than ${maxBytes} bytes` });
    yield chunk;
  }
}
