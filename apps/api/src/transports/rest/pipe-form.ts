import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { ProblemError } from '@profile-service/contracts';
import { countFileBytes } from './collect-buffers.ts';
import { exemptFromTimeLimit } from '../http/server.ts';

/**
 * How long an upload may take, and how long it may pause, in milliseconds. Both are less than the age at which the storage clean-up deletes a file
 * (D-52).
 */
const timeoutMs = 30 * 60_000;
const pauseTimeoutMs = 60_000;

/**
 * Pipes a request body into the parser of a form, with time limits for an upload. It destroys the parser with a problem when the client disconnects,
 * exceeds a time limit, or sends more than `maxBytes` bytes.
 * @returns a function that detaches the parser
 */
export function pipeForm(request: IncomingMessage, parser: Writable, maxBytes: number): () => void {
  const fail = (problem: ProblemError) => parser.destroy(problem);
  const tooLarge = new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The form is larger than ${maxBytes} bytes.` });

  const restoreTimeLimit = exemptFromTimeLimit(request.socket);
  const pauseTimer = setTimeout(() => fail(incomplete(`No byte of the body arrived for ${pauseTimeoutMs / 1000} seconds`)), pauseTimeoutMs);
  const timer = setTimeout(() => fail(incomplete(`The body did not arrive within ${timeoutMs / 60_000} minutes`)), timeoutMs);
  let length = 0;
  const onData = (chunk: Buffer) => {
    pauseTimer.refresh();
    countFileBytes(chunk.length);
    if ((length += chunk.length) > maxBytes) fail(tooLarge);
  };
  const onClose = () => request.complete || fail(incomplete('The connection was closed before the whole body arrived'));

  // From here on the service works, as long as the file needs. Node sets the limit of silence again for the next request of the connection.
  const onEnd = () => {
    clearTimeout(pauseTimer);
    clearTimeout(timer);
    request.socket.setTimeout(0);
  };

  // `close` fires once: the client may have disconnected while the upload waited for its slot.
  if (request.closed) onClose();
  request.on('data', onData).once('end', onEnd).once('close', onClose).pipe(parser);
  if (Number(request.headers['content-length']) > maxBytes) fail(tooLarge);
  return () => {
    clearTimeout(pauseTimer);
    clearTimeout(timer);
    restoreTimeLimit();
    request.off('data', onData).off('end', onEnd).off('close', onClose).unpipe(parser);
  };
}

const incomplete = (detail: string) => new ProblemError('VALIDATION_FAILED', { detail, errors: [{ path: '', message: detail }] });
