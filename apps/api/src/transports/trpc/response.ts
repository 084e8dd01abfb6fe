import { problemHeaders } from '../../request/problem.ts';
import type { Exchange } from '../http/exchange.ts';
import { type CallResult, joinBatch, joinLines, statusOf, toBody } from './results.ts';

/** How a response contains its results: the only one, all in an array, or all in tRPC's JSON Lines. */
export type Format = 'single' | 'batch' | 'lines';

const joins = { single: ([result]: readonly CallResult[]) => result?.json ?? [], batch: joinBatch, lines: joinLines };

/** Sends the results of all calls in one piece, even if the client accepts a stream. */
export function sendResults(exchange: Exchange, format: Format, results: readonly CallResult[]): void {
  const problems = results.flatMap(({ problem }) => problem ?? []);
  exchange.problem = problems.at(-1);
  exchange.setHeader('content-type', 'application/json');
  exchange.setHeader('vary', [exchange.response.getHeader('vary') ?? [], 'trpc-accept, accept'].flat().join(', '));
  const body = toBody(joins[format](results));
  // Status and headers of a stream are those of a success: tRPC sends them before the first call has ended.
  if (format === 'lines') return exchange.send(200, body);
  if (problems[0]?.code === 'METHOD_NOT_ALLOWED') exchange.setHeader('allow', exchange.request.method === 'GET' ? 'POST' : 'GET');
  for (const problem of problems) exchange.setHeaders(problemHeaders(problem, exchange.hasToken));
  exchange.send(statusOf(results), body);
}
