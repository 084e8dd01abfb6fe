import type { IncomingMessage } from 'node:http';
import type { ProblemError } from '@profile-service/contracts';
import type { Response } from 'express';
import { EncodedJson } from '../../request/encoded-json.ts';
import { tenantKey } from '../../request/limits/keys.ts';
import { rateLimitHeaders } from '../../request/limits/rate-limits.ts';
import { problemDocument, problemHeaders } from '../../request/problem.ts';
import { hasBody } from './body-head.ts';
import { bytesPerTurn, writeLargeBody } from './large-body.ts';
import { endAfterRequest } from './lingering-close.ts';

/** A response body; a large one is in chunks. */
type Body = string | Buffer | readonly Buffer[];

/** Values of headers, by names in lower case. */
export type Headers = Readonly<Record<string, string | number>>;

export function setHeaders(response: Response, headers: Headers): void {
  for (const name in headers) response.setHeader(name, headers[name] as string | number);
}

/** Sets the headers that describe the strictest rate limit of the request. */
export function setRateLimitHeaders(response: Response): void {
  const rateLimit = response.locals.context.strictestRateLimit;
  if (rateLimit) setHeaders(response, rateLimitHeaders(rateLimit));
}

/** Sends a whole response. It counts against the outbound buffer limit of the caller's tenant until the client has received it. */
export function send(response: Response, status: number, body: Body = ''): void {
  const { req: request, locals } = response;
  const { context } = locals;
  const bytes = byteLength(body);
  setRateLimitHeaders(response);
  if (status !== 204 && status !== 304) response.setHeader('content-length', bytes);
  response.writeHead(status);
  const [head, last] = splitLast(body);
  const end = () => {
    context.lingers = !request.complete && hasBody(request);
    if (context.lingers) endAfterRequest(request, response, last);
    else response.end(last);
  };
  if (head.length > 0 && bytes > bytesPerTurn) writeLargeBody(response, head).then(end, () => undefined);
  else {
    for (const chunk of head) response.write(chunk);
    end();
  }
  const { caller } = context;
  if (bytes > 0) context.outboundBuffer.track(response, bytes, caller && tenantKey(caller));
}

export function sendJson(response: Response, status: number, body: unknown, type = 'application/json'): void {
  response.setHeader('content-type', type);
  send(response, status, body instanceof EncodedJson ? body.chunks : JSON.stringify(body));
}

/** Sends a problem document (RFC 9457). If a response has already begun, closes its connection instead. */
export function sendProblem(response: Response, problem: ProblemError, docsBase: string): void {
  const { context } = response.locals;
  context.problem = problem;
  if (response.headersSent) return void response.destroy();
  setHeaders(response, problemHeaders(problem, hasToken(response.req)));
  sendJson(response, problem.status, problemDocument(problem, context.requestId, docsBase), 'application/problem+json');
}

/** Whether the request has a bearer token. */
export const hasToken = ({ headers: { authorization = '' } }: IncomingMessage): boolean => /^Bearer +\S/i.test(authorization);

const isChunked = (body: Body): body is readonly Buffer[] => Array.isArray(body);

const byteLength = (body: Body): number =>
  isChunked(body) ? body.reduce((total, chunk) => total + chunk.length, 0) : Buffer.byteLength(body);

function splitLast(body: Body): [head: readonly Buffer[], last: string | Buffer] {
  return isChunked(body) ? [body.slice(0, -1), body.at(-1) ?? ''] : [[], body];
}
