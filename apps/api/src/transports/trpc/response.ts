import type { Response } from 'express';
import { problemHeaders } from '../../request/problem.ts';
import { hasToken, send, setHeaders } from '../http/send.ts';
import { type CallResult, joinBatch, joinLines, statusOf, toBody } from './results.ts';

/** How a response contains its results: the only one, all in an array, or all in tRPC's JSON Lines. */
export type Format = 'single' | 'batch' | 'lines';

const joins = { single: ([result]: readonly CallResult[]) => result?.json ?? [], batch: joinBatch, lines: joinLines };

/** Sends the results of all calls in one piece, even if the client accepts a stream. */
export function sendResults(response: Response, format: Format, results: readonly CallResult[]): void {
  const problems = results.flatMap(({ problem }) => problem ?? []);
  const { req: request, locals } = response;
  locals.context.problem = problems.at(-1);
  response.setHeader('content-type', 'application/json');
  response.vary('trpc-accept, accept');
  const body = toBody(joins[format](results));
  // Status and headers of a stream are those of a success: tRPC sends them before the first call has ended.
  if (format === 'lines') return send(response, 200, body);
  if (problems[0]?.code === 'METHOD_NOT_ALLOWED') response.setHeader('allow', request.method === 'GET' ? 'POST' : 'GET');
  for (const problem of problems) setHeaders(response, problemHeaders(problem, hasToken(request)));
  send(response, statusOf(results), body);
}
