import type { IncomingMessage } from 'node:http';
import { ProblemError } from '@profile-service/contracts';
import type { ParseLargeBody } from '../../request/api-request.ts';
import { validationFailed } from '../../request/validation-failed.ts';
import { hasBody, requireType } from './body-head.ts';
import { checkJson } from '../../request/check-json.ts';

/** Larger bodies are parsed in turns. In bytes. */
const maxUntimedBytes = 8 * 1024;

/**
 * Reads a JSON body. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, VALIDATION_FAILED when it is not JSON, or what `parseLargeBody` throws.
 * @param maxBytes size limit of the body
 * @param parseLargeBody called with the parsing of a large body
 * @returns an empty object when there is no body
 */
export async function readJson(request: IncomingMessage, maxBytes: number, parseLargeBody: ParseLargeBody): Promise<unknown> {
  if (!hasBody(request)) return {};
  requireType(request, 'application/json');
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
  const body = await readBytes(request, maxBytes);
  return body.length > maxUntimedBytes ? parseLargeBody(() => parseBody(body)) : parseBody(body);
}

/** Listens to events, because iterating over a request takes as long as all other work on a short body. */
function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const stop = () => request.off('data', add).off('end', end).off('close', fail).off('error', fail);
    const add = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      stop();
      // The response still has to be sent: keep the request open, but read no further.
      request.pause();
      reject(tooLarge(maxBytes));
    };
    const end = () => {
      stop();
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks));
    };
    const fail = (error?: unknown) => {
      stop();
      reject(validationFailed('', 'The connection was closed before the whole body arrived', error));
    };
    // `close` fires once; do not wait for it on a closed request.
    if (request.closed || request.destroyed) return fail();
    request.on('data', add).once('end', end).once('close', fail).once('error', fail);
  });
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function parseBody(body: Buffer): unknown {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch (error) {
    throw validationFailed('', 'The body is not valid JSON', error);
  }
  return parseJson(text, 'body');
}

/**
 * Parses a JSON text of a client. Throws VALIDATION_FAILED if it is not JSON, is too large, or is ambiguous.
 * @param what the text, for the error message
 */
export function parseJson(text: string, what: 'body' | 'input'): unknown {
  checkJson(text, what);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw validationFailed('', `The ${what} is not valid JSON`, error);
  }
}

const tooLarge = (maxBytes: number) => new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The body is larger than ${maxBytes} bytes.` });
