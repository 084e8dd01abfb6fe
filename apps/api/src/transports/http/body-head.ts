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
export function requireType(request: IncomingMessage, type: string): void {
  const { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' } = request.headers;
  const unsupported = (detail: string) => new ProblemError('UNSUPPORTED_MEDIA_TYPE', { detail });
  // Duplicate headers are joined by a comma, which a parameter of the type may contain too.
  const isDuplicate = contentType.includes(',') && (request.headersDistinct['content-type']?.length ?? 0) > 1;
  if (contentType.split(';', 1)[0]?.trimEnd().toLowerCase() !== type || isDuplicate) throw unsupported(`The Content-Type must be ${type}.`);
  if (encoding !== 'identity') throw unsupported('The body must not be compressed: Content-Encoding is not supported.');
}
