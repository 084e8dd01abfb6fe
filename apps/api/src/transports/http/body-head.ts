import type { IncomingMessage } from 'node:http';
import { ProblemError } from '@profile-service/contracts';

/** Whether the headers of the request declare a body. A body of length 0 counts as none. */
export const hasBody = ({ headers: { 'content-length': length, 'transfer-encoding': transfer } }: IncomingMessage): boolean =>
  (length !== undefined && length !== '0') || transfer !== undefined;

/**
 * Checks the Content-Type of a request with a body.
 * @param type the only accepted media type, in lower case and without parameters
 * @throws UNSUPPORTED_MEDIA_TYPE when the body has another type or is compressed (INPUT-2, D-11)
 */
export function requireType({ headers, headersDistinct }: IncomingMessage, type: string): void {
  const [contentType = '', ...duplicates] = headersDistinct['content-type'] ?? [];
  const { 'content-encoding': encoding = 'identity' } = headers;
  const unsupported = (detail: string) => new ProblemError('UNSUPPORTED_MEDIA_TYPE', { detail });
  if (contentType.split(';', 1)[0]?.trimEnd().toLowerCase() !== type || duplicates.length > 0)
    throw unsupported(`The Content-Type must be ${type}.`);
  if (encoding !== 'identity') throw unsupported('The body must not be compressed: Content-Encoding is not supported.');
}
