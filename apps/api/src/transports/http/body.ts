import type { IncomingMessage } from 'node:http';
import { ProblemError } from '@profile-service/contracts';
import { parse } from 'secure-json-parse';
import { validationFailed } from '../../handler/validation-failed.ts';
import { hasBody, requireType } from './body-head.ts';
import { hasDuplicateKeys } from './duplicate-keys.ts';

/** Size limit of a JSON body, in bytes (LIMITS-3). */
export const jsonLimit = 1024 * 1024;

/**
 * Reads a JSON body. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, or VALIDATION_FAILED when it is not JSON.
 * @returns an empty object when there is no body
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!hasBody(request)) return {};
  requireType(request, 'application/json');
  if (Number(request.headers['content-length']) > jsonLimit) throw tooLarge();
  return parseJson(await readBytes(request));
}

/** Listens to events, because iterating over a request takes as long as all other work on a short body. */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const stop = () => request.off('data', add).off('end', end).off('close', fail).off('error', fail);
    const add = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= jsonLimit) return;
      stop();
      // The response still has to be sent: keep the request open, but read no further.
      request.pause();
      reject(tooLarge());
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

function parseJson(body: Buffer): unknown {
  try {
    const text = decoder.decode(body);
    // Rejects keys that could change a prototype, such as `__proto__` (D-11).
    const value: unknown = parse(text, { protoAction: 'error', constructorAction: 'error' });
    if (hasDuplicateKeys(text, value)) throw validationFailed('', 'A key is given more than once');
    return value;
  } catch (error) {
    throw error instanceof ProblemError ? error : validationFailed('', 'The body is not valid JSON', error);
  }
}

const tooLarge = () => new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The body is larger than ${jsonLimit} bytes.` });
