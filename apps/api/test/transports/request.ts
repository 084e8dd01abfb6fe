import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { errors, type ErrorCode, Problem } from '@profile-service/contracts';
import { expect } from 'vitest';
import { recordExchange } from '../support/exchanges.ts';

export interface ApiResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  bytes: Buffer;
}

export interface Wire {
  /** Several values of a header become several lines. */
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** Whether the body is sent in chunks, without Content-Length. */
  chunked?: boolean;
}

/** Sends path and headers unchanged, also those that `fetch` would reject. @param target e.g. `GET /api/%zz` */
export async function send(url: string, target: string, { headers = {}, body, chunked = false }: Wire = {}): Promise<ApiResponse> {
  const at = target.indexOf(' ');
  const framing = body === undefined ? {} : chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': Buffer.byteLength(body) };
  const sent = request(url, { method: target.slice(0, at), path: target.slice(at + 1), headers: { ...framing, ...headers }, agent: false });
  sent.end(body);
  // A server may respond before it has read everything.
  sent.on('error', () => undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  recordExchange({ target, headers, body, response: { status: response.statusCode ?? 0, body: bytes } });
  return { status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString(), bytes };
}

/** Checks that the response is this problem, with status, content type, document and request id. Returns the document. */
export function expectProblem({ status, headers, text }: ApiResponse, code: ErrorCode): Problem {
  expect([status, headers['content-type'], text]).toEqual([errors[code].status, 'application/problem+json', expect.any(String)]);
  const problem = Problem.strict().parse(JSON.parse(text));
  expect(problem).toMatchObject({ code, status, title: errors[code].title, instance: headers['x-request-id'] });
  expect(problem.type).toBe(`http://docs.example/errors#${code}`);
  return problem;
}
