import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { ProblemError } from '@profile-service/contracts';
import { exemptFromTimeLimit } from '../http/server.ts';

/** How long an upload may take, and how long it may pause, in milliseconds. Both are less than the age at which the storage clean-up removes a file. */
const timeoutMs = 30 * 60_000;
const pauseTimeoutMs = 60_000;

/**
 * Feeds a body into the parser of a form, with limits of its own for time and length. The parser is destroyed with a problem when the client goes away,
 * pauses too long, takes too long, or sends more than `maxBytes` bytes.
 * @returns stops the feeding
 */
export function feed(request: IncomingMessage, parser: Writable, maxBytes: number): () => void {
  const fail = (problem: ProblemError) => parser.destroy(problem);
  const brokenOff = (detail: string) => new ProblemError('VALIDATION_FAILED', { detail, errors: [{ path: '', message: detail }] });
  const tooLarge = new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The form is larger than ${maxBytes} bytes.` });

  const restoreTimeLimit = exemptFromTimeLimit(request.socket);
  const pause = setTimeout(() => fail(brokenOff(`No byte of the body arrived for ${pauseTimeoutMs / 1000} seconds`)), pauseTimeoutMs);
  const whole = setTimeout(() => fail(brokenOff(`The body did not arrive within ${timeoutMs / 60_000} minutes`)), timeoutMs);
  let length = 0;
  const measure = (chunk: Buffer) => {
    pause.refresh();
    if ((length += chunk.length) > maxBytes) fail(tooLarge);
  };
  const onClose = () => request.complete || fail(brokenOff('The body broke off'));

  // `close` fires once: a client that left while the upload waited for its slot is gone already.
  if (request.closed) onClose();
  request.on('data', measure).once('close', onClose).pipe(parser);
  if (Number(request.headers['content-length']) > maxBytes) fail(tooLarge);
  return () => {
    clearTimeout(pause);
    clearTimeout(whole);
    restoreTimeLimit();
    request.off('data', measure).off('close', onClose).unpipe(parser);
  };
}
