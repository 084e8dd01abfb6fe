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

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Keep the socket open after leaving the loop: the response still has to be sent on it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > jsonLimit) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw validationFailed('', 'The connection was closed before the whole body arrived', error);
  }
  return Buffer.concat(chunks);
}

function parseJson(body: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    // Rejects keys that could change a prototype, such as `__proto__` (D-11).
    const value: unknown = parse(text, { protoAction: 'error', constructorAction: 'error' });
    if (hasDuplicateKeys(text, value)) throw validationFailed('', 'A key is given more than once');
    return value;
  } catch (error) {
    throw error instanceof ProblemError ? error : validationFailed('', 'The body is not valid JSON', error);
  }
}

const tooLarge = () => new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The body is larger than ${jsonLimit} bytes.` });
