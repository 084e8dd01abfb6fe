import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { ProblemError } from '@profile-service/contracts';
import { notePassing } from '../../observability/dead-buffers.ts';
import { exemptFromTimeLimit } from '../http/server.ts';

/** An upload may take long, in milliseconds, but not pause long: less than the janitor waits before it takes a file for forgotten. */
const longestMs = 30 * 60_000;
const longestPauseMs = 60_000;

/** What is still on its way after an answer is let in for a while, or many clients would never read the answer. */
const lingerMs = 10_000;

/**
 * Feeds a body into the parser of a form, within limits of its own for time and length. The parser is destroyed with a problem where the
 * client goes away, pauses too long, takes too long, or sends more than `longest` bytes.
 * @returns ends the feeding; what has not come yet is thrown away
 */
export function feed(request: IncomingMessage, parser: Writable, longest: number): () => void {
  const fail = (problem: ProblemError) => parser.destroy(problem);
  const brokenOff = (detail: string) => new ProblemError('VALIDATION_FAILED', { detail, errors: [{ path: '', message: detail }] });
  const tooLong = new ProblemError('PAYLOAD_TOO_LARGE', { detail: `The form is larger than ${longest} bytes` });

  const inTime = exemptFromTimeLimit(request.socket);
  const pause = setTimeout(() => fail(brokenOff('The body came to a stop')), longestPauseMs);
  const whole = setTimeout(() => fail(brokenOff('The body takes too long')), longestMs);
  let length = 0;
  const measure = (chunk: Buffer) => {
    pause.refresh();
    notePassing(chunk.length);
    if ((length += chunk.length) > longest) fail(tooLong);
  };
  const gone = () => request.complete || fail(brokenOff('The body broke off'));

  request.on('data', measure).once('close', gone).pipe(parser);
  if (Number(request.headers['content-length']) > longest) fail(tooLong);
  return () => {
    clearTimeout(pause);
    clearTimeout(whole);
    inTime();
    request.off('data', measure).off('close', gone).unpipe(parser);
    if (!request.complete) linger(request);
  };
}

function linger(request: IncomingMessage): void {
  const timer = setTimeout(() => request.socket.destroy(), lingerMs);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
