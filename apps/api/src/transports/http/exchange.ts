import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '@profile-service/auth';
import type { ProblemError } from '@profile-service/contracts';
import { tenantKey } from '../../limits/keys.ts';
import type { OutboundBufferLimit } from '../../limits/outbound-buffer-limit.ts';
import type { Operation } from '../../operation/operation.ts';
import { problemDocument, problemHeaders } from '../../operation/problem.ts';

/** One request and its answer: what the log line at its end is made of. */
export interface Exchange {
  readonly requestId: string;
  readonly response: ServerResponse;
  readonly startedAt: number;
  readonly hasToken: boolean;
  readonly outboundBuffer: OutboundBufferLimit;
  operation?: Operation;
  caller?: Caller;
  /** The problem that was answered. */
  problem?: ProblemError;
}

/** Takes the caller's X-Request-Id when it is sane, else makes one; every answer carries it. */
export function beginExchange(request: IncomingMessage, response: ServerResponse, outboundBuffer: OutboundBufferLimit): Exchange {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
  response.setHeader('x-request-id', requestId);
  const hasToken = /^Bearer +\S/i.test(request.headers.authorization ?? '');
  return { requestId, response, startedAt: performance.now(), hasToken, outboundBuffer };
}

/** Where the JSON of both faces leaves, and problems too: whole, counted until it is taken, and with an end. The other headers are set already. */
export function sendWhole({ response, caller, outboundBuffer }: Exchange, status: number, body: string | Buffer): void {
  const bytes = Buffer.byteLength(body);
  response.writeHead(status, { 'content-length': bytes });
  response.end(body);
  outboundBuffer.track(response, bytes, caller && tenantKey(caller));
}

export function sendJson(exchange: Exchange, status: number, body: unknown, type = 'application/json'): void {
  exchange.response.setHeader('content-type', type);
  sendWhole(exchange, status, JSON.stringify(body));
}

export function sendNothing({ response }: Exchange, status: number): void {
  response.writeHead(status);
  response.end();
}

/** Where every throw of a REST request ends (RFC 9457). */
export function sendProblem(exchange: Exchange, problem: ProblemError, docsBase: string): void {
  exchange.problem = problem;
  const { response } = exchange;
  if (response.headersSent) return void response.destroy();
  for (const [name, value] of Object.entries(problemHeaders(problem, exchange.hasToken))) response.setHeader(name, value);
  sendJson(exchange, problem.status, problemDocument(problem, exchange.requestId, docsBase), 'application/problem+json');
}
