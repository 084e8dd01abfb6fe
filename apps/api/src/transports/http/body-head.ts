import type { IncomingMessage } from 'node:http';
import { ProblemError } from '@profile-service/contracts';

/** Whether the request announces a body. A body of length 0 counts as none. */
export const hasBody = ({ headers: { 'content-length': length, 'transfer-encoding': transfer } }: IncomingMessage): boolean =>
  (length !== undefined && length !== '0') || transfer !== undefined;

/** Throws UNSUPPORTED_MEDIA_TYPE when the body has another type, or is compressed. @param type in lower case, without parameters */
export function requireType({ headers, headersDistinct }: IncomingMessage, type: string): void {
  const [given = '', ...others] = headersDistinct['content-type'] ?? [];
  const { 'content-encoding': encoding = 'identity' } = headers;
  const refuse = (detail: string) => new ProblemError('UNSUPPORTED_MEDIA_TYPE', { detail });
  if (given.split(';', 1)[0]?.trimEnd().toLowerCase() !== type || others.length > 0) throw refuse(`The Content-Type must be ${type}.`);
  if (encoding !== 'identity') throw refuse('The body must not be compressed: Content-Encoding is not supported.');
}
